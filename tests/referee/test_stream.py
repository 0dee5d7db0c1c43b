"""The *stream* protocol: line N that a bot prints answers question N, until its first fault."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.table import Answer, Ask, Fault, Reply, StreamCall
from referee.bot import Bot, BotFile
from referee.errors import RefereeError
from referee.outcome import STDERR_TAIL
from referee.protocols import piped_process, stream
from referee.protocols.base import Evidence, Seating
from referee.roster.functions import function_bot
from referee.sandbox import sandbox
from schema import seal
from schema.bot_output import CAP
from schema.errors import GameError
from tests.factories import SEED
from tests.referee.test_process import dies

ECHO = "import sys\nfor line in sys.stdin:\n    sys.stdout.write(line)\n    sys.stdout.flush()\n"

needs_sandbox = pytest.mark.skipif(
    bool(sandbox.unavailable_reason()), reason=sandbox.unavailable_reason() or "is there"
)
LEVELS = ["process", pytest.param("sandbox", marks=needs_sandbox)]
each_level = pytest.mark.parametrize("isolation", LEVELS)

Reaction = tuple[list[Reply], list[Evidence]]


def bot(source: str, name: str = "bot", file: str = "bot.py", program: str = sys.executable) -> Bot:
    """Return a bot of one file."""
    return Bot(name, (program, file), ((file, BotFile(source.encode(), False)),))


def ask(line: str, seat: int = 0) -> Ask:
    """Return a question to a seat."""
    return Ask(seat, "turn", StreamCall(line), ())


def put(bots: Sequence[Bot], *steps: Sequence[Ask], **facts: object) -> list[Reaction]:
    """Put questions to bots, step by step, and return the reactions."""
    given: dict[str, Any] = {"time_limit": 1.0, **facts}
    with stream.open_session(Seating(bots, SEED, "match", **given)) as session:
        return [cast(Reaction, session(asks)) for asks in steps]


def converse(
    source: str, lines: Sequence[str], **facts: object
) -> tuple[list[Reply], list[Evidence]]:
    """Put lines to one bot, and return its replies and the evidence."""
    reactions = put([bot(source)], *([ask(line)] for line in lines), **facts)
    return [reply for [reply], _ in reactions], [note for _, [note] in reactions]


def said(*texts: str) -> list[Reply]:
    """Return these answers."""
    return [Answer({"output": text.encode()}) for text in texts]


@settings(max_examples=10)
@given(
    st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])), max_size=9)
)
def test_a_bot_gets_each_line_and_its_line_is_the_answer(lines: list[str]) -> None:
    """A bot that repeats its input gives every line back, without the line end."""
    source = ECHO.replace(".stdin", ".stdin.buffer").replace(".write", ".buffer.write")
    assert converse(source, lines)[0] == said(*lines)


@pytest.mark.parametrize("isolation", ["none", *LEVELS])
@pytest.mark.parametrize("cold", [False, True], ids=["warm", "cold"])
def test_one_process_and_one_folder_serve_a_match(isolation: str, cold: bool) -> None:
    """A bot keeps its variables, its files and its seed from question to question."""
    source = """
import os, sys
open("notes", "w").close()
for number, line in enumerate(sys.stdin):
    print(line, end="", file=open("notes", "a"))
    print(number, open("notes").read().split(), os.environ["KOTH_BOT_SEED"], sys.argv, flush=True)
"""
    replies, notes = converse(source, ["a", "b"], isolation=isolation, cold=cold)
    seed = seal.bot_seed(SEED, 0)
    assert replies == said(f"0 ['a'] {seed} ['bot.py']", f"1 ['a', 'b'] {seed} ['bot.py']")
    assert all(note["seat"] == 0 and note["ask"] == "turn" and "ms" in note for note in notes)


def test_a_warm_bot_finds_the_standard_input_of_a_new_interpreter() -> None:
    """Name, mode, encoding, position and buffers of standard input are those of a pipe."""
    source = """
import sys
for line in sys.stdin:
    i = sys.stdin
    print(i, i.buffer, i.buffer.raw, i.errors, i.seekable(), i is sys.__stdin__, flush=True)
"""
    warm, cold = (converse(source, ["?", "?"], cold=cold)[0] for cold in (False, True))
    assert warm == cold
    assert len(warm) == 2


def test_bots_of_one_step_are_asked_at_the_same_time(tmp_path: Path) -> None:
    """A bot that answers after the other has its question ends, whichever seat is asked first."""
    source = """
import os, sys, time
for line in sys.stdin:
    mine, other = line.split()
    open(mine, "w").close()
    while not os.path.exists(other):
        time.sleep(0.001)
    print(mine[-1], flush=True)
"""
    names = [f"{tmp_path}/{seat}" for seat in (0, 1)]
    asks = [ask(" ".join(names), 0), ask(" ".join(names[::-1]), 1)]
    [(replies, _)] = put([bot(source), bot(source, "other")], asks)
    assert replies == said("0", "1")


def test_two_questions_to_one_bot_are_put_one_after_the_other() -> None:
    """A list may ask a seat twice; the answers come in the order of the questions."""
    [(replies, notes)] = put([bot(ECHO), bot(ECHO)], [ask("a"), ask("b", 1), ask("c")])
    assert replies == said("a", "b", "c")
    assert [note["seat"] for note in notes] == [0, 1, 0]


def test_a_question_longer_than_a_pipe_arrives() -> None:
    """A line of a megabyte reaches a bot that reads it, and does not hold up another bot."""
    long = "x" * (1 << 20)
    source = "import sys\nfor line in sys.stdin:\n    print(len(line), flush=True)\n"
    [(replies, _)] = put([bot(source), bot(ECHO)], [ask(long), ask("short", 1)])
    assert replies == said(str(len(long) + 1), "short")


def test_a_line_end_in_a_question_is_an_error_of_the_game() -> None:
    """Rules cannot put two lines as one question."""
    with pytest.raises(GameError, match="expected the question 'turn' in one line"):
        converse(ECHO, ["a\nb"])


# --- the order of lines --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "import time\nprint('1\\n2\\n3', flush=True)\ntime.sleep(60)",
        "print('1\\n2\\n3')",
        "for n in '123':\n    print(n, flush=True)",
        "input()\nprint('1\\n2', flush=True)\ninput()\nprint(3, flush=True)\ninput()",
    ],
    ids=["before a question", "before the end", "one by one", "two for one"],
)
def test_a_line_counts_whenever_it_was_written(source: str) -> None:
    """Lines answer questions in their order, also those that were there before the question."""
    assert converse(source, ["a", "b", "c"])[0] == said("1", "2", "3")


def test_evidence_names_an_early_answer() -> None:
    """A line that was there before its question is marked in the evidence."""
    _, notes = converse("input()\nprint('1\\n2')", ["a", "b"])
    assert [note.get("early") for note in notes] == [None, True]


def test_evidence_names_an_early_answer_that_nobody_has_read_yet() -> None:
    """So is a line that came after the answer before it, and waits in the pipe."""
    source = "input()\nprint(1, flush=True)\ninput()\nprint(2, flush=True)\nprint(3)\n"
    match = stream.StreamMatch(Seating([bot(source)], SEED, "match", time_limit=1.0))
    try:
        notes = [match.ask([ask(line)])[1][0] for line in "ab"]
        process = match.processes[0]
        assert process.has_ended(60)
        notes += match.ask([ask("c")])[1]
    finally:
        match.end()
    assert [note.get("early") for note in notes] == [None, None, True]


# --- faults --------------------------------------------------------------------------------------

HANG = "import time\ntime.sleep(60)\n"
FIRST = "import os, sys, time\nprint(input(), flush=True)\ninput()\n"
"""A bot that answers its first question."""

FAULTS: dict[str, tuple[str, Fault]] = {
    "ends": ("", Fault("crash", {"output": b""})),
    "fails": ("raise SystemExit(3)", Fault("crash", {"output": b""})),
    "ends within a line": ("print('ha', end='')", Fault("crash", {"output": b"ha"})),
    "kills itself": ("os.kill(os.getpid(), 9)", Fault("crash", {"output": b""})),
    "closes its output": (f"os.close(1)\n{HANG}", Fault("crash", {"output": b""})),
    "sleeps": (HANG, Fault("timeout")),
    "does not end its line": (f"print('ha', end='', flush=True)\n{HANG}", Fault("timeout")),
    "computes": ("while True: pass", Fault("timeout")),
    "writes too much": (
        f"print('x' * {10 << 20}, flush=True)",
        Fault("oversize", {"output": b"x" * (CAP + 1)}),
    ),
    "leaves a child that answers": (
        "if os.fork() == 0:\n    os.setsid()\n    time.sleep(0.3)\n    print('late', flush=True)",
        Fault("crash", {"output": b""}),
    ),
    "answers too late": ("time.sleep(2)\nprint('late', flush=True)\n" + HANG, Fault("timeout")),
}


@each_level
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_ends_the_bot_for_the_rest_of_the_match(name: str, isolation: str) -> None:
    """The fault is recorded with its kind; all later questions get that kind, and no answer."""
    source, fault = FAULTS[name]
    replies, notes = converse(
        FIRST + source, ["a", "b", "c", "d"], isolation=isolation, time_limit=0.1
    )
    assert replies == [*said("a"), fault, Fault(fault.kind), Fault(fault.kind)]
    assert [note.get("ended_earlier") for note in notes] == [None, None, True, True]
    status = {"fails": 3, "kills itself": -9, "closes its output": None}.get(name, 0)
    assert notes[1].get("exit") == (status if fault.kind == "crash" else None)
    assert ("partial" in notes[1]) == (fault.kind == "timeout")


@pytest.mark.parametrize("size", [CAP, CAP + 1])
def test_an_answer_has_a_maximum_size(size: int) -> None:
    """An answer may have ``CAP`` bytes, and not one more; its line end does not count."""
    [reply] = converse(f"input()\nprint('x' * {size}, flush=True)\ninput()", ["a"])[0]
    assert isinstance(reply, Answer if size == CAP else Fault)
    assert reply.raw == {"output": b"x" * size}


def test_the_first_answer_may_take_longer() -> None:
    """The time for the first answer is ten times that for others: the program starts in it."""
    source = "import time\nfor _ in range(2):\n    line = input()\n    time.sleep(0.4)\n"
    source += "    print(line, flush=True)"
    replies, _ = converse(source, ["a", "b"], time_limit=0.2)
    assert replies == [*said("a"), Fault("timeout")]


def test_a_bot_is_killed_at_its_first_fault() -> None:
    """A bot that was too slow takes no more time from the others of its match."""
    slow = bot("import os, sys\nprint(os.getpid(), file=sys.stderr, flush=True)\nwhile True: pass")
    with stream.open_session(Seating([slow], SEED, "match", 0.1)) as session:
        [fault], [note] = cast(Reaction, session([ask("a")]))
        assert fault == Fault("timeout")
        assert dies(int(cast(str, note["stderr"])))


def test_a_fault_of_one_bot_does_not_end_another() -> None:
    """Other bots of the match play on."""
    steps = [[ask(line, 0), ask(line, 1)] for line in "ab"]
    reactions = put([bot("raise SystemExit(1)"), bot(ECHO, "echo")], *steps)
    assert [replies[1] for replies, _ in reactions] == said("a", "b")


def test_no_child_answers_for_a_process_that_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question after the end of the process is a crash, however fast a child of it is."""
    source = f"import os, sys\nif input() and os.fork():\n    sys.exit(print('first'))\n{ECHO}"

    def attend_late(processes: Sequence[stream.StreamProcess]) -> None:
        for process in processes:
            if process.waiting:
                select.select([process.lines], [], [])
        piped_process.attend(processes)

    monkeypatch.setattr(stream, "attend", attend_late)
    match = stream.StreamMatch(Seating([bot(source)], SEED, "match", 1.0))
    try:
        assert match.ask([ask("a")])[0] == said("first")
        select.select([match.processes[0].exited], [], [])
        assert match.ask([ask("b")])[0] == [Fault("crash", {"output": b""})]
    finally:
        match.end()


def test_a_program_that_cannot_start_has_crashed() -> None:
    """The evidence says why, such as for a program that is not there."""
    [([reply], [note])] = put([bot("", program="no-such-program")], [ask("a")])
    assert reply == Fault("crash", {"output": b""})
    assert "no-such-program" in str(note["error"])


# --- evidence ------------------------------------------------------------------------------------


@each_level
def test_standard_error_belongs_to_the_decision_in_which_it_was_written(isolation: str) -> None:
    """Each note has the end of the text that the bot wrote since the answer before."""
    source = f"""
import sys
for line in sys.stdin:
    print("about " + line, end="", file=sys.stderr)
    if line == "much\\n":
        print("y" * {1 << 20}, file=sys.stderr)
    if line != "crash\\n":
        print("fine", flush=True)
    else:
        raise SystemExit("over")
"""
    lines = ["one", "two", "much", "crash"]
    _, notes = converse(source, lines, isolation=isolation)
    errors = [str(note["stderr"]) for note in notes]
    assert errors[:2] == ["about one\n", "about two\n"]
    assert len(errors[2]) == STDERR_TAIL
    assert set(errors[2]) == {"y", "\n"}
    assert errors[3].endswith("about crash\nover\n")


# --- functions -----------------------------------------------------------------------------------


def upper(line: str) -> str:
    """Return the line in capitals, with a line end."""
    return line.upper() + "\n"


def two_lines(line: str) -> str:
    """Return two lines."""
    return "a\nb"


def too_much(line: str) -> str:
    """Return more than an answer may have."""
    return "x" * (CAP + 1)


@pytest.mark.parametrize(
    ("function", "replies"),
    [
        (upper, said("A", "B")),
        (two_lines, [Fault("crash", {"output": b""}), Fault("crash")]),
        (len, [Fault("crash", {"output": b""}), Fault("crash")]),
        (too_much, [Fault("oversize", {"output": b"x" * (CAP + 1)}), Fault("oversize")]),
    ],
    ids=["answers", "two lines", "no text", "too much"],
)
def test_a_function_gets_a_line_and_returns_one(
    function: Callable[[str], object], replies: list[Reply]
) -> None:
    """A function plays as a program does: one line, and nothing after its first fault."""
    reactions = put([function_bot(function)], [ask("a")], [ask("b")])
    assert [reply for [reply], _ in reactions] == replies


def test_no_process_is_left_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a bot cannot start, those that did are ended before the error is raised."""
    started: list[stream.StreamProcess] = []
    start = stream.StreamProcess.start

    def one_only(self: stream.StreamProcess, *given: object, **named: object) -> None:
        if started:
            raise RefereeError("no more")
        started.append(self)
        start(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(stream.StreamProcess, "start", one_only)
    with pytest.raises(RefereeError, match="no more"):
        put([bot(ECHO), bot(ECHO, "other")], [ask("a")], [ask("b", 1)])
    assert started[0].server.ended
