"""One process: its output, its end, and nothing left of it."""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import time
from pathlib import Path

import pytest

from referee.environment import NO_SEED, environment
from referee.outcome import FLOOD, STDERR_TAIL, Outcome
from schema.bot_output import CAP
from tests.referee.bot_factory import PATIENCE, start


def sh(folder: Path, body: str, limit: float = PATIENCE) -> Outcome:
    """Run a line of shell."""
    return start(["sh", "-c", body], folder, NO_SEED, limit)


def python(folder: Path, body: str) -> Outcome:
    """Run some Python."""
    return start([sys.executable, "-S", "-c", body], folder, NO_SEED, PATIENCE)


def alive(pid: int) -> bool:
    """Return whether a process runs; a dead process that is not yet reaped does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def dies(pid: int) -> bool:
    """Return whether a killed process ends within a few seconds."""
    deadline = time.monotonic() + PATIENCE
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not alive(pid)


def test_output_and_exit_status(tmp_path: Path) -> None:
    """Both streams are kept separately and unchanged, with the exit status."""
    outcome = sh(tmp_path, r"printf '\377out\n'; printf err >&2; exit 3")
    assert (outcome.output, outcome.stderr, outcome.exit) == (b"\xffout\n", b"err", 3)
    assert outcome.crashed
    assert not outcome.timed_out


def test_a_process_that_ends_well(tmp_path: Path) -> None:
    """An exit status of zero is no crash."""
    outcome = sh(tmp_path, "exit 0")
    assert (outcome.exit, outcome.crashed, outcome.output) == (0, False, b"")
    assert 0 < outcome.seconds < PATIENCE


@pytest.mark.parametrize("signal", [9, 11, 15])
def test_death_by_a_signal_is_a_crash(signal: int, tmp_path: Path) -> None:
    """A process that dies by a signal has the negative signal number as exit status."""
    outcome = sh(tmp_path, f"kill -{signal} $$")
    assert (outcome.exit, outcome.crashed) == (-signal, True)


@pytest.mark.parametrize(
    "command", [["./no-such-program"], ["/"], ["/etc/passwd"], ["nul\0byte"], [""]]
)
def test_what_cannot_be_started_is_a_crash(command: list[str], tmp_path: Path) -> None:
    """A missing program, a folder, or a file that is no program is a crash without exit status."""
    outcome = start(command, tmp_path, NO_SEED, PATIENCE)
    assert (outcome.exit, outcome.crashed) == (None, True)
    assert outcome.error


def test_a_damaged_program_is_a_crash(tmp_path: Path) -> None:
    """A program that the system cannot read to its end is the bot's own, and no damaged disk."""
    header = bytearray(Path("/proc/self/exe").read_bytes()[:64])
    header[32:40] = (64).to_bytes(8, sys.byteorder)  # the offset of its segments
    header[56:58] = (1).to_bytes(2, sys.byteorder)  # and their number
    loader_beyond_the_end = struct.pack("=IIQQQQQQ", 3, 4, 1 << 20, 0, 0, 16, 16, 1)
    (tmp_path / "damaged").write_bytes(bytes(header) + loader_beyond_the_end)
    (tmp_path / "damaged").chmod(0o755)
    outcome = start(["./damaged"], tmp_path, NO_SEED, PATIENCE)
    assert (outcome.exit, outcome.crashed) == (None, True)
    assert "Input/output error" in outcome.error


def test_a_folder_in_which_no_program_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the bots' folder is mounted with noexec, the error says so, and what to set."""
    (tmp_path / "bot").touch(0o644)
    assert "noexec" not in start(["./bot"], tmp_path, NO_SEED, PATIENCE).error
    monkeypatch.setattr("referee.processes.scratch_dir.starts_programs", lambda: False)
    error = start(["./bot"], tmp_path, NO_SEED, PATIENCE).error
    assert "mounted with noexec. Name another folder in TMPDIR" in error
    assert "noexec" not in start(["./gone"], tmp_path, NO_SEED, PATIENCE).error


def test_a_folder_that_is_gone_is_a_crash(tmp_path: Path) -> None:
    """A process whose folder is missing cannot be started."""
    outcome = start(["true"], tmp_path / "gone", NO_SEED, PATIENCE)
    assert (outcome.exit, outcome.crashed) == (None, True)


@pytest.mark.parametrize(
    "body",
    ["sleep 60", "trap '' TERM INT HUP; sleep 60", "kill -STOP $$", "exec >&- 2>&-; sleep 60"],
)
def test_the_time_limit(body: str, tmp_path: Path) -> None:
    """A process that is too slow is killed, also if it ignores signals and closes its pipes."""
    outcome = sh(tmp_path, f"echo early; {body}", limit=0.3)
    assert (outcome.timed_out, outcome.crashed, outcome.exit) == (True, False, -9)
    assert outcome.output == b"early\n"
    assert 0.3 <= outcome.seconds < PATIENCE


def test_a_busy_loop_is_stopped(tmp_path: Path) -> None:
    """A process that computes for ever is killed like one that sleeps."""
    assert sh(tmp_path, "while :; do :; done", limit=0.3).timed_out


def test_the_folder_and_standard_input(tmp_path: Path) -> None:
    """A process runs in its folder, and its standard input is empty."""
    outcome = sh(tmp_path, "pwd -P; cat; echo end")
    assert outcome.output.decode() == f"{tmp_path.resolve()}\nend\n"


def test_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process gets the environment that it is given, and nothing of the referee's."""
    monkeypatch.setenv("SECRET", "1")
    outcome = start(["env"], tmp_path, "0ne", PATIENCE)
    expected = [f"{name}={value}" for name, value in environment("0ne").items()]
    assert sorted(outcome.output.decode().splitlines()) == sorted(expected)


def test_no_file_of_the_referee_is_inherited(tmp_path: Path) -> None:
    """Files that are open in the referee are closed in the bot, inheritable or not."""
    with (tmp_path / "secret").open("w") as secret:
        inheritable = fcntl.fcntl(secret, fcntl.F_DUPFD, 200)  # a free number from 200 on
        try:
            outcome = python(tmp_path, "import os; print(os.listdir('/proc/self/fd'))")
        finally:
            os.close(inheritable)
    numbers = [
        int(word) for word in outcome.output.decode().strip("[]\n").replace("'", "").split(",")
    ]
    assert {0, 1, 2} <= set(numbers)
    assert len(numbers) == 4  # and the one that lists them
    assert inheritable not in numbers


def test_background_processes_are_killed(tmp_path: Path) -> None:
    """Background processes in the bot's group are killed when the bot ends."""
    outcome = sh(tmp_path, "sleep 60 & echo $!")
    assert outcome.exit == 0
    assert outcome.seconds < PATIENCE
    assert dies(int(outcome.output))


def test_background_processes_of_a_slow_one_are_killed(tmp_path: Path) -> None:
    """All processes of the group are killed at the time limit."""
    outcome = sh(tmp_path, "sleep 60 & echo $!; sleep 60", limit=0.3)
    assert outcome.timed_out
    assert dies(int(outcome.output))


def test_a_process_that_holds_the_pipe_does_not_delay(tmp_path: Path) -> None:
    """A process that left the group and holds the pipes causes no delay, and is killed."""
    outcome = sh(tmp_path, "setsid sleep 60 & echo $!")
    assert (outcome.exit, outcome.timed_out) == (0, False)
    assert outcome.seconds < PATIENCE
    assert dies(int(outcome.output))


def test_a_process_that_goes_on_writing_does_not_delay(tmp_path: Path) -> None:
    """A process that left the group and floods the pipes causes no delay, and is killed."""
    begun = time.monotonic()
    floods = "setsid sh -c 'echo $$ >pid; exec yes'"
    outcome = sh(tmp_path, f"{floods} & until [ -s pid ]; do sleep 0.01; done; sleep 0.05")
    assert time.monotonic() - begun < PATIENCE
    assert len(outcome.output) <= CAP + 1
    assert dies(int((tmp_path / "pid").read_text()))


DAEMONS = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
            print(os.getpid(), flush=True)
            if os.fork():
                os._exit(0)
            print(os.getpid(), flush=True)
            time.sleep(60)
        os._exit(0)
time.sleep(0.2)
"""


@pytest.mark.parametrize("end", ["", "time.sleep(60)", "os.abort()"])
def test_processes_of_other_sessions_are_killed(end: str, tmp_path: Path) -> None:
    """Processes that left their session and parents are killed, however the bot ended."""
    outcome = start(
        [sys.executable, "-S", "-c", DAEMONS + end], tmp_path, NO_SEED, 1.0 if end else PATIENCE
    )
    numbers = list(map(int, outcome.output.split()))
    assert len(numbers) == 6
    assert all(map(dies, numbers))


def test_a_flood_ends_quickly(tmp_path: Path) -> None:
    """A process that writes for ever is killed long before its time limit."""
    outcome = sh(tmp_path, "yes")
    assert (outcome.flooded, outcome.timed_out, outcome.crashed) == (True, False, False)
    assert outcome.output == (b"y\n" * CAP)[: CAP + 1]
    assert outcome.seconds < PATIENCE


def test_much_output_is_no_flood(tmp_path: Path) -> None:
    """Output above the limit is read to its end, and cut one byte above the limit."""
    outcome = sh(tmp_path, f"head -c {FLOOD // 4} /dev/zero")
    assert (outcome.flooded, outcome.exit) == (False, 0)
    assert outcome.output == bytes(CAP + 1)


@pytest.mark.parametrize("size", [1, 4096, CAP - 1, CAP])
def test_output_up_to_the_cap_is_kept_whole(size: int, tmp_path: Path) -> None:
    """No byte of a large output is lost, even if its writer has ended before it is read."""
    assert sh(tmp_path, f"head -c {size} /dev/zero; printf x >&2").output == bytes(size)


def test_of_errors_the_end_is_kept(tmp_path: Path) -> None:
    """Standard error may have any size, and its last part is kept."""
    outcome = sh(tmp_path, "yes | head -c 1000000 >&2; echo last >&2; echo out")
    assert (outcome.exit, outcome.output) == (0, b"out\n")
    assert len(outcome.stderr) == STDERR_TAIL
    assert outcome.stderr.endswith(b"y\nlast\n")


def test_a_file_has_a_limit(tmp_path: Path) -> None:
    """Files that a bot writes have a maximum size."""
    outcome = python(
        tmp_path,
        "import time; time.sleep(.1); f = open('big', 'wb')\nwhile True: f.write(bytes(1 << 20))",
    )
    assert outcome.crashed
    assert (tmp_path / "big").stat().st_size <= 64 * 1024 * 1024


def open_files() -> list[Path]:
    """Return the open files of this process."""
    return list(Path("/proc/self/fd").iterdir())


def test_nothing_is_left_open(tmp_path: Path) -> None:
    """Starting many processes leaves no more files open in the referee."""
    sh(tmp_path, "exit")
    before = len(open_files())
    for body in ("exit 0", "kill -9 $$", "exec >&-", "yes | head -c 100000"):
        sh(tmp_path, body)
    start(["./no-such-program"], tmp_path, NO_SEED, PATIENCE)
    assert len(open_files()) == before
