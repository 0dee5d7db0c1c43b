"""Class bots: a bot gives each answer once, and no match learns anything of another match.

If a process ends or hangs, no match is played again. No match reveals the answers of another.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest

from referee import match
from referee.batch import scheduler
from referee.batch.scheduler import Batch
from referee.bot import Bot
from referee.processes.processor_time import number_of
from referee.protocols.class_ import LockstepBatch
from referee.protocols.class_process import BotProcess
from referee.sandbox import sandbox
from referee.self_contained.proof import shares_nothing
from replay.verify import verify_all
from schema import discovery as layout
from schema import seal
from tests.factories import loads
from tests.referee.bot_factory import (
    COUNTER,
    UNIQUE,
    bot,
    class_bot,
    job,
    patience,
    short_decisions,
)
from tests.referee.test_blocks import calm, cup, one_by_one

LEVELS = [
    "none",
    "process",
    pytest.param(
        "sandbox", marks=pytest.mark.skipif(bool(sandbox.unavailable_reason()), reason="none here")
    ),
]


def rounds(folder: Path) -> dict[str, list[list[int]]]:
    """Return the choices of each match."""
    return {
        path.stem: [e["choices"] for e in loads(path.read_bytes()) if e["type"] == "round"]
        for path in sorted((folder / "matches").iterdir())
    }


def notes(folder: Path, key: str) -> dict[str, list[dict[str, Any]]]:
    """Return by match the evidence that has the field ``key``."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted((folder / "evidence").glob("[0-9]*")):
        lines = map(orjson.loads, path.read_bytes().splitlines())
        if here := [note for note in lines if key in note]:
            found[path.stem] = here
    return found


@pytest.mark.parametrize("level", LEVELS)
def test_a_class_bot_carries_no_memory_between_matches(level: str, tmp_path: Path) -> None:
    """A bot that counts its matches in a module of the library counts one, in every match."""
    bots = [bot(tmp_path, "counter.py", COUNTER, UNIQUE), calm(tmp_path)]
    cup(tmp_path / "cup", bots, isolation=level, games_per_entrant=3)
    played = rounds(tmp_path / "cup")
    assert len(played) == 6
    assert all(1 in first for first, *_ in played.values())


@contextmanager
def counting() -> Iterator[dict[str, int]]:
    """Yield the number of times that each match is begun; no match may be begun twice."""
    begun: dict[str, int] = {}
    begin = match.open_match

    def counted(job: match.MatchJob) -> Any:
        begun[job.match] = begun.get(job.match, 0) + 1
        return begin(job)

    with patch.object(match, "open_match", counted), patch.object(match, "drop") as dropped:
        yield begun
    dropped.assert_not_called()


REROLLER = {
    "head": "import heapq, os, sys",
    "select": "print('asked', file=sys.stderr, flush=True); return 1 + self.round % 3",
    "update": "heapq.__all__.append('lost')\n"
    "if self.round == 4 and heapq.__all__.count('lost') > 4: os._exit(1)",
}
"""A bot that ends its process after a match if the process has played another match before."""


@pytest.mark.parametrize("level", LEVELS)
def test_a_class_bot_cannot_have_matches_played_again(level: str, tmp_path: Path) -> None:
    """Each match is begun once, and the number of questions equals the number of answers."""
    bots = [class_bot(tmp_path, "reroller", **REROLLER), calm(tmp_path)]
    with counting() as begun:
        cup(tmp_path / "cup", bots, isolation=level, games_per_entrant=2)
    assert begun == dict.fromkeys(rounds(tmp_path / "cup"), 1)
    told = notes(tmp_path / "cup", "stderr")
    assert len(told) == 4
    assert all([note["stderr"] for note in one] == ["asked\n"] * 4 for one in told.values())


def test_standard_error_is_kept_that_comes_long_before_the_answer(tmp_path: Path) -> None:
    """Standard error of a bot that the referee waits for belongs to that decision, each time."""
    slow = REROLLER | {
        "head": "import heapq, os, sys, time",
        "select": "print('asked', file=sys.stderr, flush=True); time.sleep(0.02); return 1",
    }
    bots = [class_bot(tmp_path, "slow", **slow), calm(tmp_path)]
    cup(tmp_path / "cup", bots, isolation="process", games_per_entrant=2)
    told = notes(tmp_path / "cup", "stderr")
    assert len(told) == 4
    assert all([note["stderr"] for note in one] == ["asked\n"] * 4 for one in told.values())


# --- shared processes that end -------------------------------------------------------------------

DRAWS = "import random"
LUCKY: dict[str, Any] = {"head": DRAWS, "select": "return random.SystemRandom().randint(1, 10)"}


def lucky(folder: Path) -> Bot:
    """A bot that shares nothing, and answers at random."""
    found = class_bot(folder, "lucky", **LUCKY)
    assert shares_nothing(found)
    return found


@contextmanager
def killing(step: int, name: str) -> Iterator[list[dict[int, Any]]]:
    """Kill the shared process of a bot before a step; yield all choices by match."""
    given: list[dict[int, Any]] = []
    ask = LockstepBatch.ask

    def counted(self: LockstepBatch, asked: Any) -> Any:
        if len(given) == step:
            [hosted] = [one for one in self.hosted if one.bot.name == name and one.process]
            assert isinstance(hosted.process, BotProcess)
            os.kill(number_of(hosted.process.exited), signal.SIGKILL)
        found = ask(self, asked)
        given.append({number: reply[0] for number, reply in found.items()})
        return found

    with patch.object(LockstepBatch, "ask", counted):
        yield given


@pytest.mark.parametrize("step", [0, 2, 4])
@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_process_that_is_killed_loses_no_answer(level: str, step: int, tmp_path: Path) -> None:
    """Each match continues alone from where it was, with the earlier answers on record."""
    with killing(step, "lucky") as given, counting() as begun:
        cup(
            tmp_path / "cup",
            [lucky(tmp_path), calm(tmp_path)],
            isolation=level,
            games_per_entrant=3,
        )
    played = rounds(tmp_path / "cup")
    assert set(begun.values()) == {1}
    for number, choices in enumerate(played.values()):
        assert len(choices) == 4
        assert choices[:step] == [one[number] for one in given[:step]]
    verdicts = {one.verdict for one in verify_all(layout.logs([tmp_path / "cup"]))}
    assert verdicts == {"verified"}
    assert set(notes(tmp_path / "cup", "resumed_after")) == played.keys()
    otherwise = notes(tmp_path / "cup", "answered_otherwise")
    assert bool(otherwise) == (step > 0)


NOW = "int(os.environ['KOTH_BOT_SEED'], 16) % 3 == 1"
"""Python condition that is true in the second match and false in the first."""
WHILE_NOW: dict[str, tuple[str, dict[str, str]]] = {
    "raises": ("crash", {"select": "return 1 // (1 - (self.now and self.round == 3))"}),
    "chooses a bool": ("illegal", {"select": "return self.now or 1"}),
    "chooses too much": ("illegal", {"select": "return 2 ** (64 * self.now)"}),
    "fails to hear": ("crash", {"update": "assert not self.now or self.round < 3"}),
    "computes without end": (
        "timeout",
        {"select": "while self.now and self.round > 1: pass\nreturn 1"},
    ),
    "breaks its interpreter": (
        "crash",
        {
            "head": "import itertools, os",
            "update": "it = iter(choices)\n"
            "for _ in range(300_000 * (self.now and self.round == 2)): it = itertools.chain(it)\n"
            "assert next(it)",
        },
    ),
    "uses up memory": ("crash", {"select": "return [1] * 10 ** (10 * self.now) and 1"}),
}
"""The fault and the methods of bots that misbehave in some of their matches."""


@pytest.mark.parametrize("kind", WHILE_NOW)
def test_a_fault_in_one_match_is_that_matchs_alone(kind: str, tmp_path: Path) -> None:
    """In a process that serves many matches, one match is blamed, as in single play."""
    fault, bodies = WHILE_NOW[kind]
    villain = class_bot(
        tmp_path, "villain", **{"head": "import os", "init": f"self.now = {NOW}", **bodies}
    )
    assert shares_nothing(villain)
    bots = [villain, calm(tmp_path)]
    with short_decisions(0.2 if fault == "timeout" else 1):
        found = cup(tmp_path / "cup", bots, games_per_entrant=2)
        assert found == one_by_one(tmp_path / "single", bots, games_per_entrant=2)
    [out] = [e for e in loads(found["tournament.jsonl"]) if e["type"] == "disqualified"]
    assert (out["entrant"], out["kind"]) == (0, fault)
    assert out["match"] == "1-000001"


@short_decisions(0.2)
def test_a_hang_in_one_match_of_128_is_its_alone(tmp_path: Path) -> None:
    """All other matches are played to their end, with the answers that they had."""
    villain = class_bot(
        tmp_path,
        "villain",
        head="import os",
        init=f"self.stuck = os.environ['KOTH_BOT_SEED'] == '{seal.bot_seed(f'{77:064x}', 0)}'",
        select="while self.stuck and self.round == 3: pass\nreturn self.round",
    )
    assert shares_nothing(villain)
    bots = [villain, calm(tmp_path)]
    jobs = [
        replace(job(tmp_path / str(number), bots, UNIQUE, rounds=4), seed=f"{number:064x}")
        for number in range(128)
    ]
    with patience(), counting():
        for one in jobs:
            one.log.parent.mkdir()
        results = scheduler.play(Batch(jobs))
    assert [number for number, result in enumerate(results) if result.faults] == [77]
    assert results[77].faults == ((0, "timeout"),)
    for number, one in enumerate(jobs):
        events = loads(one.log.read_bytes())
        choices = [event["choices"] for event in events if event["type"] == "round"]
        assert choices == [[n, 2] for n in range(1, 3 if number == 77 else 5)]


# --- bots that take time from others -------------------------------------------------------------

SPINNER = {
    "head": "import os",
    "select": "for _ in range(20 * (self.round == 1)):\n"
    "    if os.fork() == 0:\n        os.setsid()\n        while True: pass\nreturn 2",
}
WORKER = {
    "head": "import time",
    "select": "end = time.process_time() + 0.3\nwhile time.process_time() < end: pass\nreturn 1",
}


@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_bot_is_not_too_slow_because_another_is_busy(level: str, tmp_path: Path) -> None:
    """A bot is stopped after its answer until all have answered; its waiting is not counted."""
    bots = [class_bot(tmp_path, "spinner", **SPINNER), class_bot(tmp_path, "worker", **WORKER)]
    cup(tmp_path / "cup", bots, isolation=level, rounds=3, games_per_entrant=1)
    assert {tuple(sorted(row)) for rows in rounds(tmp_path / "cup").values() for row in rows} == {
        (1, 2)
    }
    measured = notes(tmp_path / "cup", "cpu_ms")
    assert len(measured) == 2


# --- a shared process is not noticed -------------------------------------------------------------

NOTICES: dict[str, dict[str, Any]] = {
    "asks for odd variables": {
        "head": "import os",
        "init": "self.number = 1\n"
        "for name in (1, '\\ud800', 'a\\0b'):\n"
        "    try: os.environ.get(name)\n"
        "    except (TypeError, ValueError): self.number += 1\n"
        "if os.getenv(key='x') is None: self.number += 1",
        "select": "return self.number",
    },
    "fails at length": {"head": "", "select": "raise ValueError('\\x85' * 100_000)"},
    "fails in half a character": {"head": "", "select": "raise ValueError('\\ud800')"},
}


@pytest.mark.parametrize("level", ["process", "none"])
@pytest.mark.parametrize("kind", NOTICES)
def test_a_bot_does_not_notice_that_it_shares_a_process(
    kind: str, level: str, tmp_path: Path
) -> None:
    """A bot finds in a shared process the same as alone."""
    curious = class_bot(tmp_path, "curious", **NOTICES[kind])
    assert shares_nothing(curious)
    bots = [curious, calm(tmp_path)]
    found = cup(tmp_path / "cup", bots, games_per_entrant=2, isolation=level)
    assert found == one_by_one(tmp_path / "single", bots, games_per_entrant=2)


@pytest.mark.parametrize("call", ["random.seed({0})", "Random({0})", "random.choice([{0}])"])
def test_an_address_is_no_seed(call: str, tmp_path: Path) -> None:
    """A bot that seeds by a NaN, whose hash is its address, gets its own process; others do not."""
    curious = class_bot(
        tmp_path,
        "curious",
        head="import random\nfrom random import Random",
        select=f"{call.format('float(' + repr('nan') + ')')}\nreturn 3",
    )
    assert shares_nothing(curious)
    cup(tmp_path / "cup", [curious, calm(tmp_path)], games_per_entrant=2)
    assert bool(notes(tmp_path / "cup", "resumed_after")) == ("choice" not in call)


def test_a_bot_recurses_as_deep_as_alone(tmp_path: Path) -> None:
    """The maximum depth of recursion is the same in a single match and in a batch."""
    seeds = tuple(seal.bot_seed(f"{number:064x}", 0) for number in range(16))
    deep = class_bot(
        tmp_path,
        "deep",
        head=f"import os\nSEEDS = {seeds}\ndef down(n): return n and down(n - 1)",
        init="down(984 + SEEDS.index(os.environ['KOTH_BOT_SEED']))",
    )
    assert shares_nothing(deep)

    def faults(folder: Path, together: bool) -> list[Any]:
        jobs = []
        for number in range(16):
            (folder / str(number)).mkdir(parents=True)
            one = job(folder / str(number), [deep, calm(tmp_path)], UNIQUE, rounds=1)
            jobs.append(replace(one, seed=f"{number:064x}"))
        for one in jobs:
            one.log.parent.mkdir(exist_ok=True)
        parts = [jobs] if together else [[one] for one in jobs]
        return [result.faults for part in parts for result in scheduler.play(Batch(part))]

    found = faults(tmp_path / "together", True)
    assert found == faults(tmp_path / "alone", False)
    assert {(), ((0, "crash"),)} == {*found}
