"""Exit codes of the tool's own failures, interrupts and pipes that break."""

from __future__ import annotations

import os
import pty
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from koth.cli.main import status
from koth.cli.tournament import resume_hint
from referee import tournament
from referee.errors import RefereeError
from referee.tournament import SEED_FILE
from schema import registry
from schema.errors import KothError, NothingToDo, UsageError
from schema.executor import serial
from tests.koth.commands import COMMAND, ROOT, Koth, started, typed
from tests.referee.bot_factory import FIRST, script
from tests.referee.interruptions import planned
from tests.sampling import sampled


def raising(error: BaseException) -> Callable[[], list[str]]:
    """A function that fails."""

    def fail() -> list[str]:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (UsageError("no."), 2, "koth: no.\n"),
        (NothingToDo("none."), 3, "koth: none.\n"),
        (KothError("broken."), 4, "koth: broken.\n"),
        (MemoryError(), 4, "koth: there is not enough memory.\n"),
        (
            ImportError("libduckdb.so: failed to map segment from shared object"),
            4,
            "koth: there is not enough memory.\n",
        ),
        (
            RuntimeError("can't start new thread"),
            4,
            "koth: no thread can be started: there is not enough memory, or too many processes are "
            "running.\n",
        ),
        (
            RuntimeError("oops"),
            4,
            "koth: RuntimeError: oops. This is a bug in koth; KOTH_DEBUG=1 shows the traceback.\n",
        ),
    ],
)
def test_every_error_has_its_exit_code(
    error: BaseException, code: int, told: str, koth: Koth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each error ends with one message and its documented code; a bug in koth is called a bug."""
    monkeypatch.delenv("KOTH_DEBUG", raising=False)
    monkeypatch.setattr(registry, "names", raising(error))
    result = koth("games")
    assert (result.code, result.out, result.err) == (code, "", told)


def test_an_interrupt(koth: Koth, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted by hand, a command ends with 130 and one line."""
    monkeypatch.setattr(registry, "names", raising(KeyboardInterrupt()))
    result = koth("games")
    assert (result.code, result.out, result.err) == (130, "", "koth: interrupted.\n")


def test_a_working_folder_that_was_removed(
    log: Path, tmp_path: Path, koth: Koth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that needs the working folder names it if it was removed."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert koth.complaint("audit", log, code=4) == "the working folder: No such file or directory."


def test_an_unexpected_end_of_a_file(koth: Koth, monkeypatch: pytest.MonkeyPatch) -> None:
    """A torn file of Python, as a full disk leaves it, is no interrupt: its error is shown."""
    monkeypatch.delenv("KOTH_DEBUG", raising=False)
    monkeypatch.setattr(registry, "names", raising(EOFError("marshal data too short")))
    result = koth("games")
    assert result.code == 4
    assert "EOFError: marshal data too short" in result.err


def ran(code: str) -> subprocess.CompletedProcess[str]:
    """The end of a program in Python that runs a command."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=30,
    )


WHILE_IMPORTED = """\
import os, signal, sys

class Finder:
    def find_spec(name, path=None, target=None):
        if name == MODULE:
            os.kill(os.getpid(), signal.NUMBER)

from koth.cli.start import run
sys.meta_path.insert(0, Finder)
run(["games"])
"""
"""A command that gets a signal in the middle of its imports."""


@pytest.mark.parametrize(
    ("module", "number"),
    sampled(
        {
            f"{number}-{module}": (module, number)
            for module in ("koth.cli.main", "typer", "koth.cli.games")
            for number in ("SIGINT", "SIGTERM")
        },
        ["SIGINT-koth.cli.main", "SIGTERM-typer", "SIGINT-koth.cli.games"],
    ),
)
def test_an_interrupt_during_imports(module: str, number: str) -> None:
    """A command that is interrupted before it is all imported ends with 130 and one line."""
    code = WHILE_IMPORTED.replace("MODULE", repr(module)).replace("NUMBER", number)
    ended = ran(code)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "koth: interrupted.\n")


WITH_A_LIBRARY = """\
import os, signal
from koth.cli.start import run
from schema import registry
from schema.errors import CorruptLog

def names():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        ACTION
    return []

registry.names = names
run(["games"])
"""
"""A command that is interrupted in a library which handles the KeyboardInterrupt itself."""


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("raise RuntimeError", "koth: interrupted.\n"),
        ("raise CorruptLog('a word')", "koth: interrupted.\n"),
        ("pass", ""),
    ],
)
def test_an_interrupt_that_a_library_handles(action: str, told: str) -> None:
    """An interrupt is no bug in koth, and its exit code is 130, whatever a library makes of it."""
    code = WITH_A_LIBRARY.replace("ACTION", action)
    ended = ran(code)
    assert (ended.returncode, ended.stderr) == (130, told)


IN_A_DESTRUCTOR = """\
import os, signal, time
from koth.cli.start import run
from schema import registry

class Held:
    def __del__(self):
        os.kill(os.getpid(), signal.NUMBER)

def names():
    Held()
    time.sleep(60)

registry.names = names
run(["games"])
"""
"""A command that is interrupted where Python ignores every exception."""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_an_interrupt_that_is_ignored_comes_again(number: str) -> None:
    """An interrupt in a destructor, or in a function that pydantic calls, ends the command too."""
    ended = ran(IN_A_DESTRUCTOR.replace("NUMBER", number))
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "koth: interrupted.\n")


def test_faults_of_koth_can_be_debugged(monkeypatch: pytest.MonkeyPatch, koth: Koth) -> None:
    """With KOTH_DEBUG set, the traceback of a bug in koth is shown."""
    monkeypatch.setenv("KOTH_DEBUG", "1")
    monkeypatch.setattr(registry, "names", raising(RuntimeError("oops")))
    with pytest.raises(RuntimeError, match="oops"):
        koth("games")


def test_codes_reach_the_shell(log: Path, tmp_path: Path) -> None:
    """The process ends with the command's exit code: 0, 1, 2 and 3."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.jsonl").write_text("hello\n")
    assert typed("verify", log).code == 0
    assert typed("verify", tmp_path / "bad.jsonl").code == 1
    assert typed("verify", tmp_path / "empty").code == 3
    wrong = typed("verfy")
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err == "koth: there is no command 'verfy'. Did you mean 'verify'?\n"


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_tournament(jobs: int, tmp_path: Path) -> None:
    """Ctrl-C ends a tournament with 130 and names the command to resume; no scratch is left."""
    bots = [
        script(tmp_path / "bots", name, FIRST + "act; sleep 0.05") for name in ("one.sh", "two.sh")
    ]
    folder, scratch = tmp_path / "cup", tmp_path / "tmp"
    scratch.mkdir()
    os.environ["TMPDIR"] = str(scratch)
    try:
        process = started("tournament", "coup", *bots, "-o", folder, "--jobs", jobs)
    finally:
        del os.environ["TMPDIR"]
    wait_for_a_match(folder)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert out == ""
    assert "Traceback" not in err
    assert f"koth: stopped; `koth resume {folder}` goes on.\n" in err
    assert (folder / SEED_FILE).exists()
    assert list(scratch.glob("koth-*")) == []


def wait_for_a_match(folder: Path) -> None:
    """Wait until a tournament plays."""
    deadline = time.monotonic() + 30
    while not list(folder.glob("matches/*")) and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.2)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_terminal_that_is_closed(jobs: str, tmp_path: Path) -> None:
    """A tournament ends with 130 when its terminal is closed; no scratch is left."""
    slow = script(tmp_path / "bots", "slow.sh", FIRST + "act; sleep 0.05")
    folder, scratch = tmp_path / "cup", tmp_path / "tmp"
    scratch.mkdir()
    ours, theirs = pty.openpty()
    words = ["tournament", "coup", str(slow), "examples", "-o", str(folder), "--jobs", jobs]
    words += ["--isolation", "process"]
    process = subprocess.Popen(
        # The tests may run under nohup.
        ["env", "--default-signal=HUP", "setsid", "--ctty", *COMMAND, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(scratch)},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    try:
        wait_for_a_match(folder)
        assert list(scratch.glob("koth-*"))
        os.close(ours)
        assert process.wait(30) == 130
        deadline = time.monotonic() + 10  # the hangup reaches each worker by itself
        while list(scratch.glob("koth-*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert list(scratch.glob("koth-*")) == []
    finally:
        process.kill()


def test_a_referee_that_cannot_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If bots cannot be started any more, the command to resume the tournament is named."""
    folder = tmp_path / "cup"

    def stop(done: int, total: int) -> None:
        raise RefereeError("no bot can be started")

    one = planned("coins", folder)
    with pytest.raises(RefereeError), resume_hint(one):
        tournament.play(one, serial, stop)
    assert capsys.readouterr().err == f"koth: stopped; `koth resume {folder}` goes on.\n"
    assert status(["resume", str(folder)]) == 0


def test_no_room_for_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without room for the files of bots is not blamed on the bots."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # Python would keep half of a file
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        process = started("play", "coup", *["examples/taxman"] * 2, "--isolation", "process")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (4, "")
    assert re.fullmatch(r"koth: no bot can be started in .*: File too large\. Make room, .*\n", err)


PRINTING = ["rules coup", "games", "schema", "--help", "--version", "verify LOG", "sql LOG DICE"]


def typed_words(words: str, log: Path) -> list[str]:
    """The words of a command."""
    return [{"LOG": str(log), "DICE": "SELECT 1"}.get(word, word) for word in words.split()]


each_printing = pytest.mark.parametrize(
    ("words", "unbuffered"),
    sampled(
        {
            f"{words}-{name}": (words, value)
            for words in PRINTING
            for name, value in (("buffered", ""), ("unbuffered", "1"))
        },
        [
            *("rules coup-buffered", "--version-unbuffered"),
            *("verify LOG-buffered", "sql LOG DICE-unbuffered"),
        ],
    ),
)
"""Commands whose Python writes at its end, and such whose Python writes at once."""


@each_printing
def test_a_reader_that_has_gone_is_no_error(
    words: str, unbuffered: str, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Into a pipe that nobody reads a command writes nothing, says nothing, and ends well."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    read, write = os.pipe()
    os.close(read)
    process = started(*typed_words(words, log), stdout=write)
    os.close(write)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_findings_that_nobody_reads(
    unbuffered: str, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit code is that of all logs, also if the reader has gone before the first line."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    torn = log.parent / "torn.jsonl"
    torn.write_bytes(log.read_bytes()[:-9])
    read, write = os.pipe()
    os.close(read)
    process = started("verify", log, torn, stdout=write)
    os.close(write)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "")


@each_printing
def test_output_that_cannot_be_written_is_an_error(
    words: str, unbuffered: str, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command without room for its output ends with 4 and one line, which names the output."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    with Path("/dev/full").open("w") as full:
        process = started(*typed_words(words, log), stdout=full.fileno())
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.count("\n")) == (4, 1)
    assert err == "koth: standard output: No space left on device.\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_is_written_in_part_is_an_error(
    unbuffered: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk takes only a part of the output, the command does not end with 0."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    # Python would leave a part of a module's bytecode, too, which no later command could load.
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    line = ["sh", "-c", 'ulimit -f 8; "$@" >part', "sh", *COMMAND, "schema", "coup"]
    process = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    assert (process.returncode, process.stdout) == (4, "")
    assert process.stderr == "koth: standard output: File too large.\n"
    assert (tmp_path / "part").stat().st_size in (8 << 9, 8 << 10)


@pytest.mark.parametrize(
    ("words", "closed", "code"),
    [
        ("verify LOG", ">&-", 0),
        ("verify LOG", "<&- >&- 2>&-", 0),
        ("games", ">&-", 0),
        ("nonsense", "2>&-", 2),
        ("nonsense", "2>/dev/full", 2),
    ],
)
def test_standard_streams_that_are_closed(words: str, closed: str, code: int, log: Path) -> None:
    """A command does its work when nobody hears of it, and opens no file in a stream's place."""
    line = ["sh", "-c", f'"$@" {closed}', "sh", *COMMAND, *typed_words(words, log)]
    process = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
    assert (process.returncode, process.stdout, process.stderr) == (code, "", "")


def test_a_reader_that_takes_one_line() -> None:
    """``koth rules coup | head -1`` prints one line and is quiet."""
    command = " ".join(COMMAND)
    found = subprocess.run(
        ["sh", "-c", f"{command} rules coup | head -1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (found.stdout, found.stderr) == ("# Coup for two players\n", "")


def test_the_command_is_installed() -> None:
    """The console script ``koth`` beside this Python runs the same command."""
    script = Path(sys.executable).with_name("koth")
    found = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert found.stdout == typed("--version").out
