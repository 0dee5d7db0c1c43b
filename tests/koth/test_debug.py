"""``koth debug``: a bot finds what its seat was given, and stops at its breakpoint once."""

from __future__ import annotations

import errno
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from games.table import Answer, Ask, Fault, StreamCall
from referee.protocols import foreground
from referee.protocols.base import Seating
from replay.decisions import decisions_of
from schema.bot_output import CAP
from schema.reader import read
from tests.factories import SEED, match_events, write
from tests.game_factory import install
from tests.koth.commands import COMMAND, ROOT, Koth
from tests.koth.test_again import MATCHES, play
from tests.referee.bot_factory import FIRST, patience
from tests.referee.test_stream import bot as stream_bot

COUNTING = """\
from pathlib import Path
calls = Path("calls")
calls.write_text(calls.read_text() + "1" if calls.exists() else "1")
print("FFF" if calls.read_text() == "11" else "NNN")
"""
ROUNDS = """\
class Uniform:
    def __init__(self, index):
        self.rounds = []
        breakpoint()

    def select(self):
        print("said aloud")
        breakpoint()
        return 1 + len(self.rounds)

    def update(self, choices):
        self.rounds.append(choices)
"""
LINES = """\
import sys
seen = []
while line := sys.stdin.readline():
    seen.append(line)
    breakpoint()
    print("line", len(seen), file=sys.stderr)
    print("keep" if len(seen) < 4 else "roll", flush=True)
"""


def debugged(*words: object, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run ``koth debug`` in a process of its own, with lines on its standard input."""
    command = [*COMMAND, "debug", *map(str, words)]
    return subprocess.run(
        command, cwd=ROOT, input=typed, capture_output=True, text=True, check=False
    )


def test_breakpoint_stops_on_a_terminal(koth: Koth, tmp_path: Path) -> None:
    """Standard input and output are terminals, and what the debugger says is no answer."""
    log = play("coins", tmp_path, koth)
    mine = tmp_path / "dealer.py"
    mine.write_text("import sys\nbreakpoint()\nprint('NNN')\n")
    [*_, last] = decisions_of(read(log), 0)
    typed = ["p sys.stdin.isatty(), sys.stdout.isatty()", "p sys.argv[1]", "c"]
    shown = on_terminal(["debug", log, last.seq, mine, "--seat", 0], typed)
    assert "(True, True)" in shown
    assert repr(last.question.args[0]) in shown  # type: ignore[union-attr]
    assert '{"output":"NNN\\n"}' in shown


def test_a_stream_bot_stops_at_the_chosen_line(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows the earlier lines; the debugger has the terminal, and the bot its line."""
    game = install(tmp_path, monkeypatch, {}, "stream")
    mine, log = tmp_path / "mine.py", tmp_path / "log.jsonl"
    mine.write_text(LINES.replace("breakpoint()", "pass"))
    assert koth("play", game, mine, "examples/cautious", "-o", log, "--seed", 7).code == 0
    mine.write_text(LINES)
    own = [*decisions_of(read(log), 0)]
    typed = ["p sys.stdin.isatty(), sys.stdout.isatty()", "p 'lines', seen", "n", "n", "c"]
    shown = on_terminal(["debug", log, own[3].seq, mine, "--seat", 0], typed)
    questions = [one.question.observation.line + "\n" for one in own[:4]]  # type: ignore[union-attr]
    assert "(True, True)" in shown
    assert str(("lines", questions)) in shown
    assert re.findall(r"line (\d)", shown) == ["4"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("print('keep')", "timeout"),
        ("print(1 / 0)", "crash"),
        ("print('x' * 70_000, flush=True)", "oversize"),
    ],
)
def test_a_fault_of_a_stream_bot_is_shown(
    line: str, kind: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The first fault counts for all later questions, and output that is not flushed is none."""
    source = "import sys\nnumber = 0\nwhile sys.stdin.readline():\n    number += 1\n"
    source += f"    if number == 2:\n        {line}\n"
    source += "    else:\n        print('roll', flush=True)\n"
    questions = [Ask(0, "turn", StreamCall(str(number)), ()) for number in range(3)]
    seating = Seating([stream_bot(source)], SEED, "match", 0.3)
    for count in (2, 3):
        roll, *faults = foreground.ask(questions[:count], 0, seating)
        assert roll == Answer({"output": b"roll"})
        assert [fault.kind for fault in faults if isinstance(fault, Fault)] == [kind] * (count - 1)
        assert ("ZeroDivisionError" in capfd.readouterr().err) == (kind == "crash")


def on_terminal(words: Sequence[object], typed: Sequence[str]) -> str:
    """Run a command on a terminal that types a line at each prompt of pdb; return its output.

    Its answer must be the recorded one.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "TERM": "dumb"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = ""
    for line in typed:
        shown += until(ours, b"(Pdb) ")
        os.write(ours, line.encode() + b"\n")
    shown += until(ours, b"the same")
    assert process.wait(20) == 0
    os.close(ours)
    return shown


def until(terminal: int, text: bytes) -> str:
    """Read from a terminal until it has shown ``text``."""
    shown = b""
    while text not in shown:
        ready, _, _ = select.select([terminal], [], [], 20)
        assert ready, shown
        shown += os.read(terminal, 4096)
    return shown.decode()


@pytest.mark.parametrize("game", MATCHES)
def test_a_bot_gets_what_its_seat_was_given(game: str, koth: Koth, tmp_path: Path) -> None:
    """The bot of the match answers as recorded, with its own seed and state."""
    log = play(game, tmp_path, koth)
    own = [decision for decision in decisions_of(read(log), 0) if decision.seq]
    typed = koth("debug", log, own[len(own) // 2].seq, MATCHES[game][0], "--seat", 0)
    assert typed.code == 0, typed
    assert typed.out.endswith(", the same\n")
    assert "earlier answers" not in typed.err


def test_a_scratch_folder_is_as_it_was(koth: Koth, tmp_path: Path) -> None:
    """Earlier questions come first, and their breakpoints do nothing."""
    log = play("coins", tmp_path, koth)
    seqs = [decision.seq for decision in decisions_of(read(log), 0)]
    (tmp_path / "dealer.py").write_text(COUNTING)
    typed = koth("debug", log, seqs[1], tmp_path / "dealer.py")
    assert typed.code == 1
    lines = ["recorded  dealer writes NNN.", r'          {"output":"NNN\n"}']
    assert typed.out.splitlines() == ["", *lines, r'now       {"output":"FFF\n"}']


def test_a_fault_of_the_same_kind_may_be_another(koth: Koth, tmp_path: Path) -> None:
    """A fault is compared by its kind, and shown with what is in place of the history file."""
    tampered = Fault("tampered", {"output": b""}, found="a symbolic link")
    log = write(tmp_path / "log.jsonl", match_events(lambda _: tampered))
    mine = tmp_path / "mine.py"
    mine.write_text("import os, sys\nos.remove(sys.argv[1])\n")
    [decision] = decisions_of(read(log), 0)
    typed = koth("debug", log, decision.seq, mine, "--seat", 0)
    assert '          {"fault":"tampered","found":"a symbolic link","output":""}\n' in typed.out
    now = 'now       {"fault":"tampered","found":"nothing","output":""}, the same fault\n'
    assert typed.out.endswith(now)
    assert typed.code == 0


def test_an_answer_is_shown_in_printable_characters(koth: Koth, tmp_path: Path) -> None:
    """Neither the recorded answer nor the new one reaches the terminal as a control sequence."""
    wild = "\x9b2J\u202e"
    answer = Answer({"output": b"", "appended": wild.encode()})
    log = write(tmp_path / "log.jsonl", match_events(lambda _: answer))
    mine = tmp_path / "mine.py"
    mine.write_text(f"import sys\nopen(sys.argv[1], 'a', encoding='utf-8').write({wild!r})\n")
    [decision] = decisions_of(read(log), 0)
    typed = koth("debug", log, decision.seq, mine, "--seat", 0)
    assert typed.out.count(r'"appended":"\x9b2J\u202e"') == 2
    assert all(line.isprintable() for line in typed.out.splitlines())


def test_an_earlier_answer_waits_for_no_child(koth: Koth, tmp_path: Path) -> None:
    """A child that a bot left at an earlier question, and that holds its output, is not awaited."""
    log = play("coins", tmp_path, koth)
    seqs = [decision.seq for decision in decisions_of(read(log), 0)]
    left, over = tmp_path / "left", tmp_path / "over"
    child = ["sh", "-c", f"sleep 20; : > {over}"]
    leave = f"import subprocess as s\nleft = Path({str(left)!r})\n"
    leave += f"left.exists() or left.write_text(str(s.Popen({child}).pid))\n"
    (tmp_path / "dealer.py").write_text(COUNTING + leave)
    typed = koth("debug", log, seqs[1], tmp_path / "dealer.py")
    assert typed.code == 1, typed
    assert not over.exists()
    assert_ended(left)


LEAVE = """\
import subprocess, sys
from pathlib import Path
child = subprocess.Popen(["sleep", "60"], start_new_session=True)
Path(LEFT).write_text(str(child.pid))
"""


def assert_ended(left: Path) -> None:
    """The process with the number in this file has ended."""
    with pytest.raises(ProcessLookupError):
        os.kill(int(left.read_text()), signal.SIGKILL)


def test_no_child_of_a_script_outlives_its_question(koth: Koth, tmp_path: Path) -> None:
    """A process that the bot leaves in a session of its own is killed, as in a match."""
    log, left, mine = play("coins", tmp_path, koth), tmp_path / "left", tmp_path / "dealer.py"
    mine.write_text(LEAVE.replace("LEFT", repr(str(left))) + "print('NNN')\n")
    ended = debugged(log, next(decisions_of(read(log), 0)).seq, mine)
    assert "now       {" in ended.stdout
    assert_ended(left)


def test_no_child_of_a_class_outlives_the_match(koth: Koth, tmp_path: Path) -> None:
    """A process that the bot leaves in a session of its own is killed, as in a match."""
    log, left, mine = play("smallest_unique", tmp_path, koth), tmp_path / "left", tmp_path / "u.py"
    source = ROUNDS.replace("breakpoint()", "pass")
    mine.write_text(LEAVE.replace("LEFT", repr(str(left))) + source)
    decisions = [decision for decision in decisions_of(read(log), 0) if decision.seq]
    ended = debugged(log, decisions[1].seq, mine, "--seat", 0)
    assert 'now       {"output":"2"}' in ended.stdout
    assert_ended(left)


def test_no_child_of_a_stream_bot_outlives_the_match(tmp_path: Path) -> None:
    """A process that the bot leaves in a session of its own is killed, as in a match."""
    left = tmp_path / "left"
    source = LEAVE.replace("LEFT", repr(str(left))) + "input()\nprint('roll', flush=True)\n"
    question = Ask(0, "turn", StreamCall("1"), ())
    seating = Seating([stream_bot(source)], SEED, "match", 1.0)
    assert foreground.ask([question], 0, seating) == [Answer({"output": b"roll"})]
    assert_ended(left)


def test_an_answer_that_nobody_reads(koth: Koth, tmp_path: Path) -> None:
    """The bot prints as in the match, also into a pipe whose reader has gone."""
    log = play("coins", tmp_path, koth)
    [first, *_] = decisions_of(read(log), 0)
    ours, theirs = os.pipe()
    os.close(ours)
    command = [*COMMAND, "debug", str(log), str(first.seq), MATCHES["coins"][0]]
    ended = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE
    )
    os.close(theirs)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("number", [0, 1])
def test_no_bot_outlives_an_interrupted_command(number: int, koth: Koth, tmp_path: Path) -> None:
    """SIGTERM ends the bot, too: at the chosen question, and at an earlier one."""
    log, pid = play("coins", tmp_path, koth), tmp_path / "pid"
    seqs = [decision.seq for decision in decisions_of(read(log), 0)]
    mine = tmp_path / "dealer.py"
    mine.write_text(
        "import os, pathlib, time\n"
        f"pathlib.Path({str(pid)!r}).write_text(str(os.getpid()) + ' ')\n"
        "time.sleep(60)\n"
    )
    command = [*COMMAND, "debug", str(log), str(seqs[number]), str(mine)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while not (pid.exists() and pid.read_text().endswith(" ")) and time.monotonic() < deadline:
        time.sleep(0.02)
    bot = int(pid.read_text())
    process.terminate()
    assert process.wait(30) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(bot, signal.SIGKILL)


def test_a_class_bot_stops_at_the_chosen_round(koth: Koth, tmp_path: Path) -> None:
    """It knows all earlier rounds, and only the last call is shown and stops."""
    log = play("smallest_unique", tmp_path, koth)
    rounds = [decision for decision in decisions_of(read(log), 0) if decision.seq]
    mine = tmp_path / "uniform.py"
    mine.write_text(ROUNDS)
    ended = debugged(log, rounds[4].seq, mine, typed="p len(self.rounds)\nc\n")
    assert ended.stdout.count("said aloud") == ended.stdout.count("(Pdb) 4\n") == 1
    assert 'now       {"output":"5"}' in ended.stdout
    assert "of 4 earlier answers differ from the recorded ones" in ended.stderr


def test_a_crash_is_shown_with_its_traceback(koth: Koth, tmp_path: Path) -> None:
    """The fault is beside the recorded answer; frames of the tool are left out."""
    log = play("coins", tmp_path, koth)
    mine = tmp_path / "dealer.py"
    mine.write_text("print(1 / 0)\n")
    ended = debugged(log, next(decisions_of(read(log), 0)).seq, mine)
    assert ended.returncode == 1
    assert "ZeroDivisionError: division by zero" in ended.stderr
    assert "foreground.py" not in ended.stderr
    assert 'now       {"fault":"crash","output":""}' in ended.stdout


@pytest.mark.parametrize("game", MATCHES)
def test_a_bot_that_cannot_start_says_why(game: str, koth: Koth, tmp_path: Path) -> None:
    """A missing interpreter is a crash of the bot, and is named once."""
    log, mine = play(game, tmp_path, koth), tmp_path / "bots.toml"
    (tmp_path / "mine.py").write_text(ROUNDS)
    mine.write_text('[[bots]]\nname = "mine"\ncommand = "no-python mine.py"\n')
    own = [decision for decision in decisions_of(read(log), 0) if decision.seq]
    ended = debugged(log, own[-1].seq, mine, "--seat", 0)
    assert ended.stderr.count("the bot cannot start: no-python: No such file or directory.\n") == 1
    assert 'now       {"fault":"crash"' in ended.stdout


@pytest.mark.parametrize("game", MATCHES)
def test_no_bot_is_blamed_for_a_lack_of_descriptors(
    game: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no more files can be opened, no bot has crashed, and the remedy is named."""
    log, mine = play(game, tmp_path, koth), tmp_path / "mine.py"
    mine.write_text(ROUNDS)
    own = [decision for decision in decisions_of(read(log), 0) if decision.seq]

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(subprocess, "Popen", refused)
    typed = koth("debug", log, own[-1].seq, mine, "--seat", 0)
    assert (typed.code, typed.out) == (4, "")
    assert "no bot can be started: Too many open files. Raise the limits" in typed.err


def test_lines_that_a_class_itself_writes_are_a_crash(koth: Koth, tmp_path: Path) -> None:
    """A class bot that writes to the pipes of its worker fails, as in a match."""
    log, mine = play("smallest_unique", tmp_path, koth), tmp_path / "uniform.py"
    forge = "for number in range(3, 20):\n            try: os.write(number, b'7\\n')\n"
    forge += "            except OSError: pass\n"
    mine.write_text("import os\n" + ROUNDS.replace("breakpoint()\n", forge, 1))
    rounds = [decision for decision in decisions_of(read(log), 0) if decision.seq]
    ended = debugged(log, rounds[0].seq, mine)
    assert 'now       {"fault":"crash"}' in ended.stdout, ended


def test_of_long_output_no_more_is_kept_than_in_a_match() -> None:
    """Output that has no end does not fill the memory of the command."""
    program = [sys.executable, "-c", f"print('x' * {9 * CAP})"]
    with subprocess.Popen(program, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        output = foreground.copied(process.stdout.fileno(), process, silent=True)
    assert output == b"x" * (CAP + 1)


def test_a_child_that_writes_on_is_not_waited_for() -> None:
    """A process has ended, however much one that it left still writes."""
    with subprocess.Popen(
        ["sh", "-c", "yes & echo"], stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        try:
            with patience():
                output = foreground.copied(process.stdout.fileno(), process, silent=True)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    assert len(output) == CAP + 1


def test_the_event_names_the_seat(koth: Koth, tmp_path: Path) -> None:
    """A bot answers for the seat of the event; a line says so if another seat has its name."""
    log = play("coup", tmp_path, koth)
    first, second = (next(decisions_of(read(log), seat)).seq for seat in (0, 1))
    mine = MATCHES["coup"][0]
    note = "seat 0 has the bot's name."
    assert note not in koth("debug", log, first, mine).err
    typed = koth("debug", log, second, mine)
    assert f"taxman answers for seat 1 (bandit) at event {second}, which asks" in typed.err
    assert typed.err.count("\n") == 1
    assert note in typed.err
    for words in ([mine, "--seat", 1], ["examples/miser"], [MATCHES["coup"][1]]):
        assert note not in koth("debug", log, second, *words).err


def test_an_event_without_an_answer_is_refused(koth: Koth, tmp_path: Path) -> None:
    """The nearest answers are named."""
    log = play("coup", tmp_path, koth)
    mine = tmp_path / "taxman.py"
    mine.write_text(FIRST)
    for bot in mine, "examples/miser":  # of a name that has a seat, and of one that has none
        assert "The nearest: 2 (" in koth.complaint("debug", log, 1, bot)
        assert "expected an event from 0" in koth.complaint("debug", log, 999, bot)
    assert "is an answer of seat 0" in koth.complaint("debug", log, 2, mine, "--seat", 1)
