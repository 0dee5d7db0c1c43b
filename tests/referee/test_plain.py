"""Programs on systems without the means of Linux: one run, and its end."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import Queue
from unittest.mock import patch

import pytest

from referee.bot import Bot, BotFile
from referee.errors import RefereeError
from referee.outcome import FLOOD, STDERR_TAIL, Outcome
from referee.plain import program, scratch_dir
from referee.processes import scratch_dir as scratch_dir_of_linux
from referee.protocols import plain_workspace
from referee.protocols.base import Seating
from schema.bot_output import CAP
from schema.errors import KothError
from tests.factories import SEED


def run(home: Path, source: str, time_limit: float = 20.0) -> Outcome:
    """Run a Python program."""
    return program.run([sys.executable, "-c", source], home, SEED, time_limit)


def test_a_program_has_its_seed_its_folder_and_no_input(tmp_path: Path) -> None:
    """It finds what a bot finds on Linux."""
    outcome = run(
        tmp_path,
        "import os, sys\nprint(os.environ['KOTH_BOT_SEED'], os.getcwd(), repr(sys.stdin.read()))",
    )
    assert outcome.output.decode().split() == [SEED, str(tmp_path), "''"]
    assert (outcome.exit, outcome.crashed, outcome.measured) == (0, False, False)


def test_a_slow_program_is_killed_with_its_children(tmp_path: Path) -> None:
    """Its time is over at the limit, and no process of it is left."""
    child = (
        "import subprocess, sys, time\nprint(subprocess.Popen(['sleep', '60']).pid, flush=True)\n"
    )
    outcome = run(tmp_path, child + "time.sleep(60)", 1.0)
    assert outcome.timed_out
    assert not outcome.crashed
    assert ends(int(outcome.output))


def test_output_after_the_limit_comes_too_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that never stops writing is too slow at its limit, and not only a flood later."""

    class Late(Queue[program.Piece]):
        """Output that is always there, and always a second late."""

        def get(self, block: bool = True, timeout: float | None = None) -> program.Piece:
            return time.monotonic() + 1, b"x" * CAP

    monkeypatch.setattr(program, "Queue", Late)
    outcome = run(tmp_path, "", 0.5)
    assert (outcome.timed_out, outcome.flooded) == (True, False)


def test_what_a_program_wrote_is_read_beside_its_children(tmp_path: Path) -> None:
    """A program that ended has answered, and a child that holds its output is killed."""
    child = "import subprocess\nprint(subprocess.Popen(['sleep', '60']).pid)\n"
    outcome = run(tmp_path, child)
    assert outcome.exit == 0
    assert not outcome.timed_out
    assert ends(int(outcome.output))


def ends(pid: int) -> bool:
    """Return whether a process ends soon, reaped or not."""
    words = Path(f"/proc/{pid}/cmdline")
    for _ in range(100):
        with suppress(FileNotFoundError, ProcessLookupError):
            if words.read_bytes():
                time.sleep(0.05)
                continue
        return True
    return False


def test_output_is_bounded(tmp_path: Path) -> None:
    """A program that floods is killed; of its output a little more than the log keeps is kept."""
    outcome = run(tmp_path, f"print('x' * {2 * FLOOD})")
    assert outcome.flooded
    assert len(outcome.output) == CAP + 1


def test_a_program_waits_for_those_who_read_it(tmp_path: Path) -> None:
    """Output that nobody takes yet is bounded, and the end of the program ends all threads."""
    before = threading.active_count()
    flood = [sys.executable, "-c", "while True: print('x' * 60_000)"]
    running = program.Program(flood, tmp_path, SEED, has_input=True)
    try:
        for _ in range(100):
            if running.output.full():
                break
            time.sleep(0.05)
        assert running.output.qsize() == program.PIECES
    finally:
        running.kill()
    for _ in range(100):
        if threading.active_count() == before:
            break
        time.sleep(0.05)
    assert threading.active_count() == before


def test_errors_keep_their_tail(tmp_path: Path) -> None:
    """The end of standard error and the exit status are kept."""
    outcome = run(tmp_path, f"import sys\nsys.exit('x' * {9 * STDERR_TAIL} + 'end')")
    assert outcome.exit == 1
    assert outcome.crashed
    assert outcome.stderr.endswith(b"xend\n")
    assert len(outcome.stderr) == STDERR_TAIL


@pytest.mark.parametrize("name", ["no-such-program", "./missing", "a\0b"])
def test_a_program_that_cannot_start_says_why(name: str, tmp_path: Path) -> None:
    """That is a crash, with the error of the system."""
    outcome = program.run([name], tmp_path, SEED, 1.0)
    assert outcome.crashed
    assert outcome.error


TRAPS = {
    "a link to nothing": "shutil.rmtree('../file-0'); os.symlink('nothing', '../file-0')",
    "no folder": "shutil.rmtree(os.path.dirname(os.getcwd()))",
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_in_the_place_of_the_history_stops_no_match(trap: str) -> None:
    """The next history is written, whatever the bot left of the folder around its own one."""
    source = f"import os, shutil\n{TRAPS[trap]}"
    bot = Bot("bot", (sys.executable, "bot.py"), (("bot.py", BotFile(source.encode(), False)),))
    with plain_workspace.open_workspace(bot, Seating([bot], SEED, "match", 20.0)) as workspace:
        with workspace.file("history.txt", b""):
            assert workspace.run(SEED, []).exit == 0
        with workspace.file("history.txt", b"more") as (_, path):
            assert Path(path).read_bytes() == b"more"


def test_a_kept_folder_is_empty_and_has_one_user(tmp_path: Path) -> None:
    """A second user of it gets another folder; the next use empties it."""
    path = tmp_path / "last"
    with scratch_dir.kept(path) as first, scratch_dir.kept(path) as second:
        assert (first, second) == (path, tmp_path / "last-2")
        (first / "cup").mkdir()
        (first / "note").write_text("old")
    with scratch_dir.kept(path) as again:
        assert again == path
        assert not any(again.iterdir())


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, 4), (errno.EIO, 4), (errno.EACCES, 2)])
def test_a_full_disk_for_a_kept_folder_is_no_wrong_usage(
    number: int, code: int, tmp_path: Path
) -> None:
    """A kept folder that cannot be made is wrong usage, unless the disk is full or fails."""
    refused = patch.object(Path, "mkdir", side_effect=OSError(number, os.strerror(number)))
    with refused, pytest.raises(KothError, match="Name another folder") as told:
        scratch_dir.kept(tmp_path / "last").__enter__()
    assert told.value.exit_code == code


def test_a_kept_folder_loses_a_link_and_not_its_target(tmp_path: Path) -> None:
    """A link to a folder, which somebody put into a kept folder, is removed at the next use."""
    (tmp_path / "target" / "inner").mkdir(parents=True)
    with scratch_dir.kept(tmp_path / "last") as folder:
        (folder / "link").symlink_to(tmp_path / "target")
    with scratch_dir.kept(tmp_path / "last") as folder:
        assert not any(folder.iterdir())
    assert (tmp_path / "target" / "inner").is_dir()


def test_a_folder_is_none_of_those_that_linux_removes() -> None:
    """A process that removes what others left behind does not find it."""
    with scratch_dir.folder() as folder:
        scratch_dir_of_linux.clean.__wrapped__(str(folder.parent))
        assert folder.is_dir()


class WindowsFailure(OSError):
    """An error as Windows reports it."""

    def __init__(self, winerror: int) -> None:
        super().__init__(0, "Internal error")
        self.winerror = winerror


def test_a_failure_of_windows_is_no_fault_of_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing program is the bot's fault; a start that the system refuses ends the match."""
    monkeypatch.setattr(sys, "platform", "win32")
    program.check_start(WindowsFailure(2))
    with pytest.raises(RefereeError, match="no bot can be started: Internal error"):
        program.check_start(WindowsFailure(1359))


def test_output_on_windows_has_the_line_ends_of_other_systems(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same bot gives the same log there."""
    assert program.plain_ends(b"a\r\nb\r\n") == b"a\r\nb\r\n"
    monkeypatch.setattr(sys, "platform", "win32")
    assert program.plain_ends(b"a\r\nb\r\n") == b"a\nb\n"


def test_a_bot_has_the_same_hash_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter of the machine does not count, whatever its file is called."""
    here = Bot("bot", ("/usr/bin/python3", "bot.py"), (("bot.py", BotFile(b"", False)),))
    there = replace(here, command=("/tools/python.exe", "bot.py"))
    assert there.hash != here.hash
    monkeypatch.setattr(sys, "platform", "win32")
    assert replace(there).hash == here.hash
