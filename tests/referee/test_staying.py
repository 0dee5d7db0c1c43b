"""A fork that stays for further decisions: nothing of one decision shows in the next."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from games.table import Answer, ArgvCall, Ask
from referee import tournament
from referee.bot import Bot, BotFile
from referee.outcome import Outcome
from referee.pools import pool
from referee.processes import limits
from referee.processes.fork_client import ForkServer
from referee.protocols import script, workspace
from referee.protocols.base import Seating, Workspace
from referee.protocols.workspace import in_folder, in_sandbox
from referee.self_contained.scripts import may_share_process
from schema.card import Card
from schema.executor import serial
from tests.factories import SEED
from tests.referee.bot_factory import COINS, HEIST, PATIENCE, contents, start

SEEDS = ["1" * 64, "2" * 64, "3" * 64]


@pytest.fixture(autouse=True)
def _no_helper_is_left() -> Iterator[None]:
    yield
    pool.close()


def made(source: str) -> Bot:
    """Return a bot of this source, which may stay."""
    bot = Bot("fox", (sys.executable, "fox.py"), (("fox.py", BotFile(source.encode(), False)),))
    assert may_share_process(bot)
    return bot


def decide(
    server: ForkServer, home: Path, seed: str, *arguments: str, limit: float = PATIENCE
) -> Outcome:
    """Run one decision of a script that may stay."""
    outcome = server.run_script(home, seed, arguments, limit)
    assert outcome is not None
    server.await_fork()
    return outcome


def told(outcome: Outcome, home: Path) -> tuple[int | None, bytes, bytes]:
    """Return everything that must be as in a fresh interpreter, without the folder's name."""
    return outcome.exit, outcome.output, outcome.stderr.replace(bytes(home), b"HOME")


def test_only_so_many_bots_have_a_folder_for_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many bots that may keep a folder, the first keep it; each of the others gets new ones."""
    opened: list[str] = []

    def counted(bot: Bot, seating: Seating) -> AbstractContextManager[Workspace]:
        opened.append(seating.scratch)
        return in_folder(bot, seating)

    monkeypatch.setattr(script, "kept_at_once", lambda seating: 2)
    monkeypatch.setattr(script, "open_workspace", counted)
    bots = [replace(made(f"print({seat})"), name=f"fox-{seat}") for seat in range(3)]
    with script.open_session(Seating(bots, SEED, "decision", PATIENCE)) as session:
        assert opened == ["match", "match"]
        asks = [Ask(seat, "bet", ArgvCall(()), ()) for seat in range(3)]
        replies, _ = session(asks)
    assert replies == [Answer({"output": b"%d\n" % seat}) for seat in range(3)]
    assert opened == ["match", "match", "decision"]


def test_sandboxes_that_are_kept_leave_descriptors_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As many sandboxes are kept as the usual limit on open files allows, but all folders."""
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (1024, 4096))
    seating = Seating([made("print()")] * 500, SEED, "decision", PATIENCE)
    most = workspace.kept_at_once(replace(seating, isolation="sandbox"))
    assert 8 * (most + pool.MAX_SERVERS) + 100 < 1024
    assert most > 40
    assert workspace.kept_at_once(seating) == 500


SAME = {
    "names": "import sys\nif sys.argv[1] == 'one': kept = 1\nprint(kept)",
    "a counter": "count = 0\ndef f():\n  global count\n  count += 1\nf()\nprint(count)",
    "a default": "def f(seen=[]):\n  seen.append(1)\n  return seen\nprint(f(), f())",
    "its seed": "import os\nprint(os.environ['KOTH_BOT_SEED'], os.getenv('KOTH_BOT_SEED'))",
    "its dice": "import os, random\nrandom.seed(os.environ['KOTH_BOT_SEED'])\n"
    "print(random.random(), random.gauss(0, 1))",
    "its arguments": "import sys\nprint(sys.argv[:], len(sys.argv))",
    "its name": "print(__name__)",
    "both streams": "import sys\nprint('a', end='')\nprint('b', end='', file=sys.stderr)",
    "much output": "print('x' * 300_000)",
    "an exit": "import sys\nprint(1)\nsys.exit()",
    "an exit with 0": "import sys\nprint(1)\nsys.exit(0)",
    "an exit with 0.0": "import sys\nprint(1)\nsys.exit(0.0)",
    "an exit with False": "import sys\nsys.exit(False)",
    "an exit with nothing to say": "import sys\nsys.exit('')",
    "an exit at times": "import sys\nprint(1)\nif sys.argv[1] == 'two': sys.exit(3)",
    "an exit with words": "import sys\nif sys.argv[1] != 'one': sys.exit('no more')",
    "an error at times": "import sys\ndef f(x): return 1 / x\nprint('a')\n"
    "if sys.argv[1] == 'two': f(0)",
    "an error each time": "print([1][1])",
    "a deprecation": "import re\nprint(re.sub('a', 'b', 'aa', 1))",
    "a warning about a pattern": "import re\nprint(re.split('[[a]', 'b[c'))",
    "a warning in the library": "import re\nfrom heapq import nlargest\n"
    "print(len(nlargest(1, ['[[a]'], key=re.compile)))",
    "a warning about an annotation": "from typing import List\nx: List['1 is 1'] = 3\nprint(x)",
    "a line of its file that it changed for a time": "import re, sys\n"
    "with open('fox.py') as f: old = f.read()\nif sys.argv[1] == 'one':\n"
    "  with open('fox.py', 'w') as f: f.write('decision one was here\\n' * 9)\n"
    "re.findall('[[a]', 'a')\nwith open('fox.py', 'w') as f: f.write(old)\nprint(1)",
    "annotations": "x: int = 1\nprint(x)",
    "unprintable text": "import sys\nif sys.argv[1] == 'two': print('\\ud800')\nprint(1)",
    "a text in a set": "print(*sorted(set('koth')), sep='')",
    "a file": "import sys\ntry:\n  with open('notes') as f: print(f.read())\n"
    "except FileNotFoundError: print('none')\nwith open('notes', 'a') as f: f.write(sys.argv[1])",
}


@pytest.mark.parametrize("source", SAME.values(), ids=SAME)
def test_each_decision_is_like_the_first(source: str, tmp_path: Path) -> None:
    """Exit status, output and errors are those of fresh interpreters, decision by decision."""
    bot, words = made(source), ["one", "two", "three"]
    homes = tmp_path / "warm" / "fox", tmp_path / "cold" / "fox"
    for home in homes:
        bot.install(home)
    with pool.lent(bot, cold=False) as server:
        warm = [
            told(decide(server, homes[0], seed, word), homes[0])
            for seed, word in zip(SEEDS, words, strict=True)
        ]
    cold = [
        told(start([*bot.command, word], homes[1], seed, PATIENCE), homes[1])
        for seed, word in zip(SEEDS, words, strict=True)
    ]
    assert warm == cold


def test_a_fork_stays_until_it_fails(tmp_path: Path) -> None:
    """A fork serves decisions until one fails; a bot without a proof has a new fork each time."""
    bot = made("import sys\nprint(1 / int(sys.argv[1]))")
    bot.install(tmp_path)
    with pool.lent(bot, cold=False) as server:
        forks = [(server.next, decide(server, tmp_path, SEED, word).exit) for word in "110110"]
    first, second = forks[0][0], forks[3][0]
    assert first != second
    assert forks == [(first, 0), (first, 0), (first, 1), (second, 0), (second, 0), (second, 1)]
    other = Bot("fox", bot.command, (("fox.py", BotFile(b"import time", False)),))
    other.install(tmp_path)
    with pool.lent(other, cold=False) as server:
        numbers = []
        for _ in range(3):
            numbers.append(server.next)
            decide(server, tmp_path, SEED)
    assert len({*numbers}) == 3


def test_a_fork_ends_after_the_first_import(tmp_path: Path) -> None:
    """A decision that loads a module is the last of its fork, as a later one would not load it."""
    counts = made("from collections import Counter\nprint(Counter('aab').most_common(1))")
    names_digit = made("import re\nprint(re.findall('\\\\N{DIGIT ONE}', '121'))")
    for bot, number in ((counts, 1), (names_digit, 3)):
        bot.install(tmp_path)
        with pool.lent(bot, cold=False) as server:
            forks = []
            for _ in range(3):
                forks.append(server.next)
                assert decide(server, tmp_path, SEED).exit == 0
        assert len({*forks}) == number


def test_numbers_without_a_seed_differ(tmp_path: Path) -> None:
    """The generator of :mod:`random` starts anew in each decision, as the system gives it."""
    bot = made("import random\nprint(random.getrandbits(64))")
    bot.install(tmp_path)
    with pool.lent(bot, cold=False) as server:
        assert len({decide(server, tmp_path, SEED).output for _ in range(5)}) == 5


def test_the_stack_is_as_deep_each_time(tmp_path: Path) -> None:
    """The limit of recursion is that of a fresh interpreter, in the first and later decisions."""
    bot = made("import sys\ndef f(n): return 0 if n == 0 else f(n - 1)\nprint(f(int(sys.argv[1])))")
    bot.install(tmp_path)
    depths = [str(depth) for depth in range(985, 1001)]
    fresh = [start([*bot.command, d], tmp_path, SEED, PATIENCE).exit for d in depths]
    with pool.lent(bot, cold=False) as server:
        stayed = []
        for depth in depths:
            decide(server, tmp_path, SEED, "1")
            stayed.append(decide(server, tmp_path, SEED, depth).exit)
    assert {*fresh} == {0, 1}
    assert stayed == fresh


def test_a_decision_that_took_much_memory_is_the_last(tmp_path: Path) -> None:
    """The next decision after one with much memory has a new fork, with all memory to itself."""
    bot = made("import sys\nx = [0] * int(sys.argv[1])\nprint(len(x))")
    bot.install(tmp_path)
    with pool.lent(bot, cold=False) as server:
        forks = []
        for size in ("1", str(2**23), "1"):
            forks.append(server.next)
            assert decide(server, tmp_path, SEED, size).output == f"{size}\n".encode()
    assert forks[0] == forks[1] != forks[2]


def test_a_decision_that_is_too_slow_ends_the_fork(tmp_path: Path) -> None:
    """A slow decision is killed in a fork that served others, and the next decision succeeds."""
    bot = made("import sys\nprint(1, flush=True)\nwhile sys.argv[1] == 'slow': pass")
    bot.install(tmp_path)
    with pool.lent(bot, cold=False) as server:
        assert decide(server, tmp_path, SEED, "").exit == 0
        late = decide(server, tmp_path, SEED, "slow", limit=0.2)
        assert (late.timed_out, late.exit) == (True, -signal.SIGKILL)
        assert (after := decide(server, tmp_path, SEED, "")).exit == 0
        assert after.output == b"1\n"


def test_each_decision_has_its_own_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions together may take longer than the limit of one; each reports its own time."""
    monkeypatch.setattr(limits, "cpu_seconds", lambda limit: 1)
    bot = made("import sys\nfor x in range(int(sys.argv[1])): pass\nprint(x)")
    bot.install(tmp_path)
    with pool.lent(bot, cold=False) as server:
        number = server.next
        long: list[Outcome] = []
        while sum(outcome.computed for outcome in long) < 2.5:
            long.append(decide(server, tmp_path, SEED, "9000000"))
            assert long[-1].exit == 0
        short = decide(server, tmp_path, SEED, "1")
        assert server.next == number
    assert short.computed < min(outcome.computed for outcome in long)


LIMITED = """
import socket
from resource import RLIMIT_CPU, RLIM_INFINITY, getrlimit, setrlimit
from staying import Stay
for most in RLIM_INFINITY, 5:
    setrlimit(RLIMIT_CPU, (most, most))
    stay = Stay(compile("", "", "exec"), {}, socket.socket(), 0)
    stay.begin(30)
    print(*getrlimit(RLIMIT_CPU))
print(RLIM_INFINITY)
"""


def test_a_limit_of_the_machine_is_kept() -> None:
    """The limit for a decision is never above that of the machine."""
    command = [sys.executable, "-c", LIMITED]
    found = subprocess.run(command, capture_output=True, cwd=ForkServer.folder, check=True)
    soft, hard, *rest, unlimited = found.stdout.split()
    assert (soft, hard, rest) == (b"31", unlimited, [b"5", b"5"])


def test_a_fork_that_was_killed_while_it_waited_is_replaced(tmp_path: Path) -> None:
    """If a fork ends between two decisions, the next decision has another one."""
    bot = made("print(1)")
    bot.install(tmp_path)
    with pool.lent(bot, cold=False) as server:
        decide(server, tmp_path, SEED)
        number = server.next
        os.kill(number, signal.SIGKILL)
        while server.next == number:
            server.events.poll(PATIENCE)
            server.read_messages()
        assert decide(server, tmp_path, SEED).output == b"1\n"
        assert not server.gone


COUNTING = """
try:
    with open("notes") as notes:
        print(len(notes.read()), end="")
except FileNotFoundError:
    print("0", end="")
with open("notes", "a") as notes:
    notes.write("x")
"""
"""Prints how often it was asked in the lifetime of its folder."""


@pytest.mark.parametrize("isolation", ["process", "sandbox"])
def test_a_folder_ends_with_its_lifetime(isolation: str, request: pytest.FixtureRequest) -> None:
    """Files stay for a match or a decision, as the game says, although the fork stays longer."""
    if isolation == "sandbox":
        request.getfixturevalue("sandboxes")
    bot = made(COUNTING)
    opened = in_sandbox if isolation == "sandbox" else in_folder
    for _ in range(2):
        with opened(bot, Seating([bot], SEED, "match", PATIENCE, isolation=isolation)) as workspace:
            assert [workspace.run(SEED, []).output for _ in range(3)] == [b"0", b"1", b"2"]
    for _ in range(3):
        with opened(
            bot, Seating([bot], SEED, "decision", PATIENCE, isolation=isolation)
        ) as workspace:
            assert workspace.run(SEED, []).output == b"0"


@pytest.mark.parametrize("card", [COINS, HEIST], ids=lambda card: card.name)
@pytest.mark.parametrize("isolation", ["process", "sandbox"])
def test_a_note_keeper_plays_the_same_warm_and_cold(
    card: Card, isolation: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """A tournament of bots with files has the same logs, whether forks stay or not."""
    if isolation == "sandbox":
        request.getfixturevalue("sandboxes")
    answers = COUNTING.replace('"0"', '"N"') + "print('NN')\n"
    bots = [replace(made(answers), name=name) for name in ("ant", "bee", "cat", "dog")]
    logs = []
    for cold in (False, True):
        folder = tmp_path / str(cold)
        model = card.settings(
            {"games": 2, "rounds": 3}
            if card is COINS
            else {"matches": 1, "games_min": 3, "games_max": 3}
        )
        planned = tournament.plan(card, bots, model, SEED, None, folder, isolation, cold)
        tournament.play(planned, serial, lambda done, total: None)
        logs.append(contents(folder))
    assert logs[0] == logs[1]
