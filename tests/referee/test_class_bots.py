"""Class bots: the data that their methods get, and every way to fail (SU-2, SU-4, SU-8…)."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from games.table import Answer, ClassCall, Fault, JointAsk, Reply
from referee.bot import Bot
from referee.errors import RefereeError
from referee.outcome import STDERR_TAIL
from referee.pools import pool
from referee.protocols import class_
from referee.protocols.base import Seating
from referee.roster.resolve import resolve
from replay.verify import verify_all
from schema import seal
from schema.bot_output import CAP
from tests.factories import SEED, match_events, sealed
from tests.referee.bot_factory import (
    UNIQUE,
    Played,
    class_bot,
    class_source,
    few_files,
    hold,
    play,
    script,
    short_decisions,
)
from tests.referee.test_process import dies
from tests.sampling import one_in, sampled

WRITE_TO_PIPES = """
def to_pipes(data):
    for fd in range(3, 10):
        try:
            os.write(fd, data)
        except OSError:
            pass
"""
FORGER = f"import os, sys, threading, time\nFIVE = b'[5]\\n'\n{WRITE_TO_PIPES}"
"""Head of a bot that writes messages to its referee itself."""


def calm(folder: Path, choice: int, **bodies: str) -> Bot:
    """Return a bot that always chooses the same number."""
    return class_bot(folder, f"calm{choice}", select=f"return {choice}", **bodies)


def game(folder: Path, *bots: Bot, rounds: int = 2) -> Played:
    """Play a game of ``bots`` and check that its log is valid."""
    seats = max(2, len(bots))
    played = play(folder, *bots, card=UNIQUE, seats=seats, rounds=rounds)
    assert [one.verdict for one in verify_all([played.log])] == ["verified"]
    return played


def against_two(folder: Path, villain: Bot, rounds: int = 2) -> Played:
    """Play a game against two bots that choose 2 and 3."""
    return game(folder, villain, calm(folder, 2), calm(folder, 3), rounds=rounds)


def told(fault: dict[str, Any]) -> tuple[int, str, str]:
    """Return seat, question and kind of a fault."""
    assert (fault["clause"], fault["penalty"]) == ("SU-9", "disqualified")
    return fault["seat"], fault["ask"], fault["kind"]


def failures(played: Played) -> list[tuple[int, str, str]]:
    """Return seat, question and kind of each fault; a game with faults must be void."""
    assert played.result.reason == ("void" if played.faults else "played")
    assert played.result.faults == tuple((one["seat"], one["kind"]) for one in played.faults)
    return [told(fault) for fault in played.faults]


def choices(played: Played) -> list[list[int]]:
    """Return the choices, one list per round."""
    return [event["choices"] for event in played.events if event["type"] == "round"]


def answers(played: Played) -> dict[int, str]:
    """Return the choices by seat in the round that failed."""
    return {one["seat"]: one["output"] for one in played.events if one["type"] == "answered"}


def noted(played: Played, seat: int) -> str:
    """Return the standard error of a bot."""
    notes = [note for note in played.evidence[1:] if note["seat"] == seat]
    return "".join(note.get("stderr", "") for note in notes)


# --- a bot that behaves --------------------------------------------------------------------------

NOTES = "import sys\ndef note(*said): print(*said, file=sys.stderr, flush=True)\n"


def test_what_a_bot_is_told(tmp_path: Path) -> None:
    """A bot gets its seat, selects, and gets all choices by seat, also after the last round."""
    bots = [
        class_bot(
            tmp_path,
            f"player{seat}",
            head=NOTES,
            init="note('seat', index)",
            select=f"note('select'); return {seat} + self.round",
            update="note(choices, choices[self.index], type(choices), set(map(type, choices)))",
        )
        for seat in range(3)
    ]
    played = game(tmp_path, *bots)
    assert choices(played) == [[1, 2, 3], [2, 3, 4]]
    kinds = "<class 'list'> {<class 'int'>}"
    for seat in range(3):
        assert noted(played, seat).splitlines() == [
            f"seat {seat}",
            "select",
            f"[1, 2, 3] {seat + 1} {kinds}",
            "select",
            f"[2, 3, 4] {seat + 2} {kinds}",
        ]


def test_the_log_is_that_of_callables(tmp_path: Path) -> None:
    """A game has the same bytes with classes as with functions that choose the same."""
    played = game(tmp_path, *(calm(tmp_path, choice) for choice in (2, 3, 4)))
    expected = match_events(
        lambda ask: [2, 3, 4] if ask.legal else None,
        game="smallest_unique",
        players=3,
        seats=3,
        rounds=2,
    )
    expected[0]["players"] = played.events[0]["players"]
    assert played.log.read_bytes() == sealed(expected)


def test_everybody_has_a_list_of_its_own(tmp_path: Path) -> None:
    """A bot that changes the list that it gets changes nothing for others (SU-4)."""
    vandal = class_bot(tmp_path, "vandal", update="choices.clear(); choices.append('x')")
    listener = class_bot(
        tmp_path, "listener", head=NOTES, select="return 2", update="note(choices)"
    )
    assert noted(game(tmp_path, vandal, listener), 1).splitlines() == ["[1, 2]"] * 2


def test_a_bot_is_made_anew_for_each_game(tmp_path: Path) -> None:
    """State in memory and in files lasts from round to round, and never into the next game."""
    head = NOTES + "import os\nclass Everything: games = 0"
    init = "Everything.games += 1; open('games', 'a').write('x')"
    update = "note(self.round, Everything.games, os.path.getsize('games'))"
    bots = [
        class_bot(tmp_path, name, head=head, init=init, select="return 2", update=update)
        for name in ("one", "two")
    ]
    hold(tmp_path / "cup", bots, card=UNIQUE, seats=2, rounds=2, games_per_entrant=1)
    evidence = sorted((tmp_path / "cup" / "evidence").glob("[0-9]*"))
    assert len(evidence) == 2
    for path in evidence:
        for line in (r'"stderr":"1 1 1\n"', r'"stderr":"2 1 1\n"'):
            assert path.read_text().count(line) == 2


def test_what_a_bot_finds(tmp_path: Path) -> None:
    """The folder has the bot's name, standard input is empty, and four variables are set."""
    nosy = class_bot(
        tmp_path,
        "nosy",
        head=NOTES + "import os",
        init="note(os.path.basename(os.getcwd()), sys.argv, repr(sys.stdin.read()))\n"
        "note(sorted(os.environ), os.environ['PYTHONHASHSEED'], os.environ['KOTH_BOT_SEED'])",
    )
    lines = noted(game(tmp_path, calm(tmp_path, 2), nosy), 1).splitlines()
    seed = seal.hex_digest(f"{SEED}:bot/1".encode())
    assert lines == [
        "nosy ['nosy.py'] ''",
        f"['KOTH_BOT_SEED', 'LANG', 'PATH', 'PYTHONHASHSEED'] 0 {seed}",
    ]


INTEGERS = """
import enum
class Colour(enum.IntEnum): RED = 2
class Flag(enum.IntFlag): UP = 4
class Index:
    def __index__(self): return 3
class Sub(int):
    def __str__(self): return 'nine'
    def __repr__(self): return 'nine'
    def __int__(self): return 9
"""


def test_what_counts_as_an_integer(tmp_path: Path) -> None:
    """Valid choices are an int, an instance of a subclass, and objects with ``__index__``."""
    versatile = class_bot(
        tmp_path,
        "versatile",
        head=INTEGERS,
        select="return [1, Colour.RED, Index(), Flag.UP, Sub(5), 10][self.round - 1]",
    )
    played = game(tmp_path, versatile, calm(tmp_path, 2), rounds=6)
    assert [chosen for chosen, _ in choices(played)] == [1, 2, 3, 4, 5, 10]
    assert noted(played, 0) == ""


def test_an_integer_beside_a_module_called_operator(tmp_path: Path) -> None:
    """A file of a bot takes the place of no module that the worker needs for an answer."""
    head = "class Index:\n    def __index__(self): return 3"
    script(tmp_path / "odd", "main.py", class_source(head=head, select="return Index()"))
    script(tmp_path / "odd", "operator.py", "raise SystemExit(1)")
    [odd] = resolve([str(tmp_path / "odd")], UNIQUE)
    assert choices(game(tmp_path, odd, calm(tmp_path, 2), rounds=1)) == [[3, 2]]


HARMLESS = {
    "printing": "print('x' * 3_000_000); sys.stderr.write('y' * 3_000_000)",
    "printing to the descriptors": "os.write(1, b'select 9\\n'); os.write(2, b'x' * 999_999)",
    "reading": "assert sys.stdin.read() == '' and os.read(0, 9) == b''",
    "closing what is standard": "[os.close(fd) for fd in (0, 1, 2)]",
    "leaving a process behind": "import subprocess; subprocess.Popen(['sleep', '60'])",
    "leaving a fork behind": "os.fork() or time.sleep(60)",
    "leaving a thread behind": "threading.Thread(target=time.sleep, args=[60]).start()",
    "going away": "os.chdir('/')",
    "deleting its folder": "import shutil; shutil.rmtree(os.getcwd())",
    "catching its errors": "try: exit(1)\nexcept BaseException: pass",
}


@pytest.mark.parametrize("body", HARMLESS.values(), ids=HARMLESS)
def test_what_harms_nobody_is_no_fault(body: str, tmp_path: Path) -> None:
    """Side effects of a bot that change nothing for others are no fault."""
    head = f"import os, sys, threading, time\ndef live():\n{textwrap.indent(body, '    ')}"
    villain = class_bot(tmp_path, "villain", head=head, update="if self.round == 1: live()")
    played = game(tmp_path, villain, calm(tmp_path, 2))
    assert failures(played) == []
    assert choices(played) == [[1, 2]] * 2


# --- a bot that fails ----------------------------------------------------------------------------

OBJECTS = r"""
import fractions
class Hostile:
    def __repr__(self): raise ValueError
class Sub(str):
    def __repr__(self): raise ValueError
Odd = type('a\nb', (), {})
"""

WRONG_CHOICES = {
    "True": "bool True",
    "False": "bool False",
    "1.0": "float 1.0",
    "'1'": "str '1'",
    "'é\\n'": r"str '\xe9\\n'",
    r"'\udcff'": r"str '\\udcff'",
    "b'1'": "bytes b'1'",
    "None": "NoneType None",
    "[1]": "list object",
    "fractions.Fraction(1)": "Fraction object",
    "Hostile()": "Hostile object",
    "Odd()": r"a\nb object",
    "Sub('1')": "Sub object",
    "'x' * 3_000_000": "str '" + "x" * (CAP - 5),
    "0": "0",
    "11": "11",
    "-1": "-1",
    "2**63 - 1": str(2**63 - 1),
    "-2**63": str(-(2**63)),
    "2**63": "int beyond 64 bits",
    "10**5000": "int beyond 64 bits",
}


@pytest.mark.parametrize(("choice", "output"), WRONG_CHOICES.items(), ids=WRONG_CHOICES)
def test_a_wrong_choice(choice: str, output: str, tmp_path: Path) -> None:
    """Any value but an integer from 1 to 10 is recorded, with the choices of the others."""
    villain = class_bot(tmp_path, "villain", head=OBJECTS, select=f"return {choice}")
    played = against_two(tmp_path, villain)
    assert failures(played) == [(0, "select", "illegal")]
    assert played.fault["output"] == output
    assert answers(played) == {1: "2", 2: "3"}


@pytest.mark.parametrize("choice", ["self.select", "object()", "lambda: 1", "[self]"])
def test_a_wrong_choice_is_the_same_every_time(choice: str, tmp_path: Path) -> None:
    """No memory address is in the log: two identical runs give the same bytes."""
    bots = class_bot(tmp_path, "villain", select=f"return {choice}"), calm(tmp_path, 2)
    once, again = (game(tmp_path / name, *bots) for name in ("once", "again"))
    assert failures(once) == [(0, "select", "illegal")]
    assert once.log.read_bytes() == again.log.read_bytes()


CRASHES = [
    ("construct", {"head": "raise ValueError"}),
    ("construct", {"head": "import no_such_module"}),
    ("construct", {"head": "def broken("}),
    ("construct", {"head": "import sys; sys.exit()"}),
    ("construct", {"head": "import os; os._exit(0)"}),
    ("construct", {"init": "raise ValueError"}),
    ("construct", {"init": "sys.exit(0)"}),
    ("construct", {"init": "os._exit(0)"}),
    ("construct", {"init": "os.kill(os.getpid(), 9)"}),
    ("construct", {"init": "print(input())"}),
    ("construct", {"init": "del Bot.select, Bot.update; del self.__class__.__init__; 1 / 0"}),
    ("update", {"update": "raise ValueError"}),
    ("update", {"update": "exit()"}),
    ("update", {"update": "os._exit(0)"}),
    ("update", {"update": "self.update(choices)"}),
    ("update", {"update": "raise KeyboardInterrupt"}),
    ("update", {"update": "import ctypes; ctypes.string_at(0)"}),
    ("select", {"select": "raise ValueError"}),
    ("select", {"select": "raise MemoryError"}),
    ("select", {"select": "return self.select()"}),
    ("select", {"select": "quit()"}),
    ("select", {"select": "os._exit(0)"}),
    ("select", {"select": "os.killpg(0, 9)"}),
    ("select", {"select": "os.closerange(0, 21); return 1"}),
    ("select", {"select": "return type('X', (), {'__index__': lambda self: 1 / 0})()"}),
]


@pytest.mark.parametrize(("step", "bodies"), CRASHES, ids=lambda value: str(value)[:60])
def test_a_bot_that_crashes(step: str, bodies: dict[str, str], tmp_path: Path) -> None:
    """A bot that raises, exits or dies is disqualified for a crash, and the game is void."""
    played = against_two(tmp_path, class_bot(tmp_path, "villain", **bodies))
    assert failures(played) == [(0, step, "crash")]
    assert choices(played) == ([[1, 2, 3]] if step == "update" else [])
    assert answers(played) == ({1: "2", 2: "3"} if step == "select" else {})
    assert played.events[-2]["scores"] == ([1, 0, 0] if step == "update" else [0, 0, 0])


def test_a_bot_that_cannot_be_started(tmp_path: Path) -> None:
    """A missing interpreter disqualifies the bot that needs it, and no other bot."""
    script(tmp_path, "ghost.py", "class Ghost:\n  def select(self): 1\n  def update(self, c): 1")
    toml = '[[bots]]\nname = "ghost"\ncommand = "no-such-python ghost.py"'
    [ghost] = resolve([str(script(tmp_path, "bots.toml", toml))], UNIQUE)
    assert failures(against_two(tmp_path, ghost)) == [(0, "construct", "crash")]


def test_a_bot_that_takes_no_index(tmp_path: Path) -> None:
    """A class whose constructor takes no index fails as it is constructed."""
    source = "class Bot:\n  def select(self): return 1\n  def update(self, choices): pass"
    [stubborn] = resolve([str(script(tmp_path, "stubborn.py", source))], UNIQUE)
    assert failures(against_two(tmp_path, stubborn)) == [(0, "construct", "crash")]


SLEEPER = "while True:\n    try: time.sleep(60)\n    except BaseException: pass"


@pytest.mark.parametrize(
    ("step", "bodies"),
    [
        ("construct", {"head": "import time; time.sleep(60)"}),
        ("construct", {"init": "os.kill(os.getpid(), 19)"}),
        ("update", {"update": SLEEPER}),
        ("select", {"select": "while True: pass"}),
    ],
)
@short_decisions(0.2)
def test_a_bot_that_is_too_slow(step: str, bodies: dict[str, str], tmp_path: Path) -> None:
    """A bot whose call takes longer than the limit is disqualified; its evidence has that time."""
    played = against_two(tmp_path, class_bot(tmp_path, "villain", **bodies))
    assert failures(played) == [(0, step, "timeout")]
    assert "output" not in played.fault
    note = next(note for note in played.evidence if note.get("seat") == 0)
    assert note["ms"] >= note["slowest_ms"] >= 200


def test_each_call_has_its_own_time(tmp_path: Path) -> None:
    """A bot that takes most of the limit in each call stays within it (SU-9)."""
    slow = "time.sleep(0.6)"
    bot = class_bot(tmp_path, "slow", init=slow, update=slow, select=f"{slow}; return 1")
    played = game(tmp_path, bot, calm(tmp_path, 2), rounds=1)
    assert failures(played) == []
    assert played.evidence[1]["ms"] > 1000 > played.evidence[1]["slowest_ms"] > 600


# --- several bots that fail ----------------------------------------------------------------------

RAISE = "raise ValueError"
FAILING_TOGETHER = [
    ([{"init": RAISE}, {"init": RAISE}], [(0, "construct", "crash"), (1, "construct", "crash")]),
    ([{"select": RAISE}, {"init": RAISE}], [(1, "construct", "crash")]),
    ([{"select": "return 0"}, {"init": RAISE}], [(1, "construct", "crash")]),
    ([{"update": RAISE}, {"update": RAISE}], [(0, "update", "crash"), (1, "update", "crash")]),
    ([{"update": RAISE}, {"select": "return self.round"}], [(0, "update", "crash")]),
    (
        [{"select": "return 0"}, {"select": RAISE}],
        [(0, "select", "illegal"), (1, "select", "crash")],
    ),
    (
        [{"select": "return 0"}, {"select": "return 11"}],
        [(0, "select", "illegal"), (1, "select", "illegal")],
    ),
    ([{"select": "return 1 // (2 - self.round)"}, {"update": RAISE}], [(1, "update", "crash")]),
]


@pytest.mark.parametrize(("bodies", "expected"), FAILING_TOGETHER, ids=range(len(FAILING_TOGETHER)))
def test_who_fails_in_the_same_step_is_out_together(
    bodies: Sequence[dict[str, str]], expected: list[tuple[int, str, str]], tmp_path: Path
) -> None:
    """The earliest fault of construct, update and select counts; later faults do not."""
    villains = [class_bot(tmp_path, f"v{n}", **one) for n, one in enumerate(bodies)]
    assert failures(game(tmp_path, *villains, calm(tmp_path, 3))) == expected


DIES_LATER = "import threading; threading.Timer(0.2, os._exit, [0]).start()"
FLOODS_LATER = (
    "import threading\ndef flood():\n    time.sleep(0.2)\n    while True: to_pipes(bytes(65536))\n"
    "threading.Thread(target=flood).start()"
)


@pytest.mark.parametrize("body", [DIES_LATER, FLOODS_LATER], ids=["dies", "floods"])
def test_a_bot_that_fails_after_its_last_step(body: str, tmp_path: Path) -> None:
    """A bot that exits after its last update, while others still run, has no fault."""
    villain = class_bot(tmp_path, "villain", head=FORGER, update=body)
    slow = class_bot(tmp_path, "slow", update="time.sleep(0.5)")
    assert failures(game(tmp_path, villain, slow, rounds=1)) == []


FIRST_FAULTS = {
    "too slow, then gone": ("timeout", "time.sleep(1.3); os._exit(0)"),
    "too slow, then loud": ("timeout", "time.sleep(1.3)\nwhile True: to_pipes(bytes(65536))"),
    "loud": ("oversize", "while True: to_pipes(bytes(65536))"),
    "garbage, then loud": ("crash", "to_pipes(b'x\\n')\nwhile True: to_pipes(bytes(65536))"),
    "garbage, then gone": ("crash", "to_pipes(b'x\\n'); os._exit(0)"),
}


@pytest.mark.parametrize(
    ("kind", "body"), sampled(FIRST_FAULTS, ["too slow, then gone", "garbage, then loud"])
)
def test_the_first_fault_stands(kind: str, body: str, tmp_path: Path) -> None:
    """The first fault of a bot counts, also if others are still at work."""
    villain = class_bot(tmp_path, "villain", head=FORGER, init=body)
    slow = class_bot(tmp_path, "slow", init="time.sleep(0.7)", select="time.sleep(0.8); return 2")
    assert failures(game(tmp_path, villain, slow, rounds=1)) == [(0, "construct", kind)]


def test_a_bot_that_failed_is_not_asked_again(tmp_path: Path) -> None:
    """The first fault of a bot is its reply to all later questions; the others play on."""
    slow = class_bot(tmp_path, "slow", select="time.sleep(0.5); return 1")
    broken = class_bot(tmp_path, "broken", init="raise ValueError")
    seating = Seating([slow, broken, calm(tmp_path, 2)], SEED, "none", 0.2)
    first = JointAsk("select", ClassCall(None), ("1", "2"))
    later = first._replace(observation=ClassCall([1, 1, 2]))
    with class_.open_session(seating) as ask:
        replies = [cast(Mapping[int, Reply], ask(one)[0]) for one in (first, later, later)]
    assert [given[0] for given in replies] == [Fault("timeout", during="select")] * 3
    parts = ["construct", "update", "update"]
    assert [given[1] for given in replies] == [Fault("crash", during=part) for part in parts]
    assert [given[2] for given in replies] == [Answer({"output": b"2"})] * 3


def test_a_crash_with_a_child_left_behind(tmp_path: Path) -> None:
    """A bot that crashes is reported at once, even if a child process holds its pipes."""
    body = "if os.fork() == 0:\n    time.sleep(60)\nraise ValueError"
    played = against_two(tmp_path, class_bot(tmp_path, "villain", select=body))
    assert failures(played) == [(0, "select", "crash")]


# --- a bot that attacks its referee --------------------------------------------------------------

FORGERIES = {
    "answers ahead": r"to_pipes(b'construct\n' + (FIVE + b'update\n') * 999)",
    "a legal choice in words": r"""to_pipes(b'construct\n["5"]\n')""",
    "a legal choice in words later": r"""to_pipes(b'construct\n' + FIVE + b'update\n["5"]\n')""",
    "another step": r"to_pipes(b'update\n')",
    "a step that there is not": r"to_pipes(b'ready\n')",
    "no text": r"to_pipes(b'\xff\xfe\n\x00\n')",
    "empty lines": r"to_pipes(b'\n' * 60_000)",
    "a line without end": "to_pipes(b'[' + bytes(300_000))",
    "several answers": r"to_pipes(b'construct\n[5, 5, 5]\n')",
    "several bytes": r"to_pipes(b'construct\n050505\n')",
    "half a byte": r"to_pipes(b'construct\n5\n')",
    "no answer at all": r"to_pipes(b'construct\n[]\n')",
    "half an answer": r"to_pipes(b'construct\n[5'); os._exit(0)",
    "a huge choice": r"to_pipes(b'construct\n[18446744073709551615]\n')",
    "a choice with a sign": r"to_pipes(b'construct\n[+5]\n')",
    "a choice with zeros": r"""to_pipes(b'construct\n["007"]\n')""",
    "a choice in other digits": r"""to_pipes('construct\n["５"]\n'.encode())""",
    "a choice that is no text": r"""to_pipes(b'construct\n["\xff"]\n')""",
    "a long choice": r"""to_pipes(b'construct\n["' + b'x' * 100_000 + b'"]\n')""",
    "nothing chosen": r"""to_pipes(b'construct\n[""]\n')""",
    "a failure of many": r"""to_pipes(b'construct\n[["tampered", "\\ud800"]]\n')""",
    "a failure in another part": r"""to_pipes(b'construct\n[["load", "x"]]\n')""",
    "a bool": r"to_pipes(b'construct\n[true]\n')",
    "brackets": r"to_pipes(b'construct\n' + b'[' * 60_000 + b'\n')",
    "a process that is unable": r"to_pipes(b'construct\nunable\n')",
    "no end": "def flood():\n    while True: to_pipes(b'[5]\\n')\n"
    "threading.Thread(target=flood).start()",
    "the messages stolen": "[os.set_blocking(fd, False) for fd in (3, 4)]\n"
    "def steal():\n    while True: os.read(3, 9)\n"
    "threading.Thread(target=steal).start()",
    "the parent gone": "os.fork() and os._exit(0)",
    "the group left": "os.fork() and os._exit(0); os.setsid()",
    "errors without end": "[os.fork(), os.fork()]\nwhile True: os.write(2, bytes(65536))",
}


@pytest.mark.parametrize("body", one_in(3, FORGERIES))
def test_a_bot_that_forges_harms_only_itself(body: str, tmp_path: Path) -> None:
    """If a bot writes anything to its pipes, the game ends, and only that bot can fail."""
    played = against_two(tmp_path, class_bot(tmp_path, "villain", head=FORGER, init=body))
    assert {seat for seat, _, _ in failures(played)} <= {0}
    assert all(row[1:] == [2, 3] for row in choices(played))


def test_nothing_is_left_of_a_game(tmp_path: Path) -> None:
    """After a game the bots and their children have ended, and no file is left open."""
    body = (
        "import subprocess\nchild = subprocess.Popen(['sleep', '60'])\n"
        "print(os.getpid(), child.pid, file=sys.stderr)"
    )
    villains = [class_bot(tmp_path, f"v{n}", init=body, select="return 1") for n in (0, 1)]
    failing = class_bot(tmp_path, "failing", init=f"{body}; {RAISE}")
    pool.close()
    before = os.listdir("/proc/self/fd")  # noqa: PTH208
    for name, bots in (("fine", villains), ("void", [*villains, failing])):
        played = game(tmp_path / name, *bots)
        pool.close()
        for seat in range(len(bots)):
            for pid in noted(played, seat).split("\n")[0].split():
                assert dies(int(pid))
    assert os.listdir("/proc/self/fd") == before  # noqa: PTH208


def test_the_evidence(tmp_path: Path) -> None:
    """The evidence has each bot's time, exit status and end of standard error."""
    loud = class_bot(
        tmp_path, "loud", update="print('x' * 9999, file=sys.stderr); raise ValueError('so it is')"
    )
    played = game(tmp_path, calm(tmp_path, 2), loud)
    header, quiet, note = played.evidence
    assert header["format"] == "koth-evidence/1"
    seq = next(seq for seq, event in enumerate(played.events) if event["type"] == "fault")
    assert [(one["seq"], one["seat"], one["ask"]) for one in (quiet, note)] == [
        (seq, 0, "select"),
        (seq, 1, "select"),
    ]
    assert note["exit"] == 1
    assert note["ms"] >= note["slowest_ms"] > 0
    assert note["stderr"].endswith("ValueError: so it is\n")
    assert len(note["stderr"]) == STDERR_TAIL
    assert "exit" not in quiet
    assert "stderr" not in quiet


def test_the_evidence_of_a_choice_out_of_range(tmp_path: Path) -> None:
    """The standard error of every bot is kept if a game is void."""
    villain = class_bot(
        tmp_path, "villain", init="print('here', file=sys.stderr)", select="return 11"
    )
    played = against_two(tmp_path, villain)
    assert [note["seat"] for note in played.evidence[1:]] == [0, 1, 2]
    assert noted(played, 0) == "here\n"


def test_the_evidence_of_a_bot_that_always_prints_has_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond ``STDERR_KEPT`` characters, a bot's standard error is not kept for each choice."""
    monkeypatch.setattr(class_, "STDERR_KEPT", 10)
    loud = class_bot(tmp_path, "loud", select="print('asked', file=sys.stderr); return 1")
    played = game(tmp_path, loud, calm(tmp_path, 2), rounds=9)
    assert [note["stderr"] for note in played.evidence[1:] if "ms" not in note] == ["asked\n"] * 2


@pytest.mark.parametrize("spare", sampled({str(n): n for n in (6, 12, 16, 20)}, ["6"]))
def test_a_referee_without_files_blames_nobody(spare: int, tmp_path: Path) -> None:
    """If the referee runs out of files, that is its own error, and no bot gets a fault."""
    bots = [calm(tmp_path, choice) for choice in range(1, 10)]
    with few_files(spare), pytest.raises(RefereeError, match="Too many open files"):
        play(tmp_path, *bots, card=UNIQUE, seats=9, rounds=1)
