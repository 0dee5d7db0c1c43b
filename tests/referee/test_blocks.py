"""Class bots in batches: the same logs and verdicts, and nothing leaks between matches."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest

from koth.workers import workers
from referee import match, tournament
from referee.batch import scheduler
from referee.batch.in_process import answerers
from referee.bot import Bot
from referee.errors import RefereeError
from referee.match import MatchJob
from referee.pools import pool
from referee.processes.processor_time import number_of
from referee.protocols import class_, class_process
from referee.roster.resolve import resolve
from referee.self_contained.proof import shares_nothing
from schema.executor import Mapper, serial
from schema.writer import LogWriter
from tests.factories import SEED, loads
from tests.referee.bot_factory import (
    UNIQUE,
    class_bot,
    class_source,
    contents,
    few_files,
    job,
    patience,
    script,
    short_decisions,
)
from tests.referee.test_process import dies
from tests.sampling import LONG_RUN, sampled

SETTINGS = {"seats": 2, "rounds": 4, "games_per_entrant": 1, "min_games_per_entrant": 0}
"""The tournament of two bots: two matches of four rounds."""


def cup(
    folder: Path,
    bots: Sequence[Bot],
    each: Mapper = serial,
    isolation: str = "process",
    **settings: int,
) -> dict[str, bytes]:
    """Return the logs of a tournament that is played into ``folder``."""
    model = UNIQUE.settings(SETTINGS | settings)
    planned = tournament.plan(UNIQUE, bots, model, SEED, None, folder, isolation)
    with patience():
        tournament.play(planned, each, lambda done, total: None)
    return contents(folder)


def one_by_one(folder: Path, bots: Sequence[Bot], **settings: Any) -> dict[str, bytes]:
    """Return the logs of the same tournament, played without batches."""
    with patch.object(scheduler, "SIZES", {}):
        return cup(folder, bots, **settings)


def in_step(folder: Path) -> dict[str, bool]:
    """Return by match whether the evidence says that it was played in a batch."""
    return {
        path.stem: any("in_step" in orjson.loads(line) for line in path.read_bytes().splitlines())
        for path in (folder / "evidence").glob("[0-9]*")
    }


def recorded_limits(folder: Path) -> list[Any]:
    """Return the limits in the evidence of each match."""
    evidence = sorted((folder / "evidence").glob("[0-9]*"))
    return [orjson.loads(path.read_bytes().splitlines()[0])["limits"] for path in evidence]


def calm(folder: Path) -> Bot:
    """Return a bot without faults."""
    return class_bot(folder, "calm", select="return 2")


# --- the same bytes ------------------------------------------------------------------------------

EXAMPLES: dict[str, Any] = {"seats": 5, "rounds": 30}


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return a tournament of all example bots, played without batches."""
    folder = tmp_path_factory.mktemp("examples") / "cup"
    return one_by_one(folder, resolve(["examples"], UNIQUE), **EXAMPLES)


@pytest.mark.parametrize(
    ("jobs", "isolation", "size"),
    sampled(
        {
            "1-process-128": (1, "process", 128),
            "2-process-5": (2, "process", 5),
            "3-process-7": (3, "process", 7),
            "1-none-128": (1, "none", 128),
            "2-none-4": (2, "none", 4),
        },
        ["2-process-5", "1-none-128"],
    ),
)
def test_the_examples_play_as_ever(
    jobs: int, isolation: str, size: int, examples: dict[str, bytes], tmp_path: Path
) -> None:
    """Batches, bots in the referee's process, and any number of workers give the same bytes."""
    bots = resolve(["examples"], UNIQUE)
    with workers(jobs) as each, patch.object(scheduler, "SIZES", {"class": size}):
        assert cup(tmp_path / "cup", bots, each, isolation, **EXAMPLES) == examples
    if isolation == "process":
        assert all(in_step(tmp_path / "cup").values())


# --- nothing leaks between matches ---------------------------------------------------------------

KEEPING = {
    "a-class": "class Kept: games = 0\ndef mark():\n  Kept.games += 1\n  return Kept.games",
    "its-module": "games = 0\ndef mark():\n  global games; games += 1\n  return games",
    "a-default": "def mark(kept=[]):\n  kept.append(1)\n  return len(kept)",
    "a-cache": "import functools\n@functools.cache\ndef kept(): return []\n"
    "def mark():\n  kept().append(1)\n  return len(kept())",
    "a-helper": "import helper\ndef mark():\n  helper.games += 1\n  return helper.games",
    "a-helper-of-a-helper": "from deeper import helper\ndef mark():\n  helper.games += 1\n"
    "  return helper.games",
    "a-package": "from package.part import kept\ndef mark():\n  kept.append(1)\n  return len(kept)",
    "a-helper-imported-late": "def mark():\n  import helper\n  helper.games += 1\n"
    "  import helper as again\n  return again.games",
    "the-generator": "import random\nrandom.seed(7)\ndef mark(): return random.randint(1, 10)",
    "the-generator-from-inside": "from random import seed, choice\nseed(7)\n"
    "def mark(): return choice(range(1, 11))",
    "the-generator-imported-late": "import random\nrandom.seed(7)\ndef mark():\n"
    "  from random import randint\n  return randint(1, 10)",
    "the-generators-module": "import random\nrandom.games = getattr(random, 'games', 0)\n"
    "def mark():\n  random.games += 1\n  return random.games",
    "the-environment": "import os\nseed = os.getenv('KOTH_BOT_SEED')\ndef mark():\n"
    "  assert os.environ['KOTH_BOT_SEED'] == seed\n  return int(seed, 16) % 10 + 1",
    "the-environment-imported-late": "def mark():\n  from os import environ\n"
    "  return int(environ['KOTH_BOT_SEED'], 16) % 10 + 1",
    "sys.path": "import sys\nsys.path.append('x')\ndef mark(): return sys.path.count('x') or 1",
}
"""Bots that keep something; ``mark`` gives a choice that shows how often they did."""


def keeper(folder: Path, name: str, head: str) -> Bot:
    """Return a bot of several files, whose choices show what it kept."""
    files = {
        "keeper.py": class_source(head=head, select="return min(mark(), 10)"),
        "helper.py": "games = 0",
        "deeper.py": "import helper",
        "package/__init__.py": "",
        "package/part.py": "from . import other\nkept = other.kept",
        "package/other.py": "kept = []",
        "spare/part.py": "",
    }
    for path, source in files.items():
        script((folder / "bot" / path).parent, Path(path).name, source)
    toml = f'[[bots]]\nname = "{name}"\ncommand = "python3 keeper.py"\nfolder = "bot"'
    [bot] = resolve([str(script(folder, "bots.toml", toml))], UNIQUE)
    return bot


@pytest.fixture(scope="module")
def keepers(tmp_path_factory: pytest.TempPathFactory) -> list[Bot]:
    """Return all these bots."""
    folder = tmp_path_factory.mktemp("keepers")
    return [keeper(folder / name, name, head) for name, head in KEEPING.items()]


@pytest.fixture(scope="module")
def kept(keepers: list[Bot], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return their tournament, played without batches."""
    return one_by_one(tmp_path_factory.mktemp("kept") / "cup", keepers, **ALL)


ALL: dict[str, Any] = {"seats": 2}
"""The tournament has fifteen of these bots, with about two games each."""


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_what_a_bot_keeps_does_not_outlive_the_match(
    isolation: str, keepers: list[Bot], kept: dict[str, bytes], tmp_path: Path
) -> None:
    """Class, module, helper and generator are new in each match."""
    found = cup(tmp_path / "cup", keepers, isolation=isolation, **ALL)
    assert [path for path in found if found[path] != kept[path]] == []


REACHING = {
    "math": "import math\nmath.games = getattr(math, 'games', 0) + 1\n"
    "def mark(): return math.games",
    "a function of math": "import math\nold = math.floor\nmath.floor = lambda x: old(x) + 1\n"
    "def mark(): return math.floor(1.5)",
    "a class of the library": "import random\nKept = random.Random\ndef mark():\n"
    "  Kept.games = getattr(Kept, 'games', 0) + 1\n  return Kept.games",
    "a library loaded late": "import fractions as f\nf.games = getattr(f, 'games', 0) + 1\n"
    "def mark(): return f.games",
    "builtins": "import builtins\nbuiltins.games = getattr(builtins, 'games', 0) + 1\n"
    "def mark(): return builtins.games",
    "sys": "import sys\nsys.games = getattr(sys, 'games', 0) + 1\ndef mark(): return sys.games",
    "sys.modules": "import sys\nsys.modules['kept'] = sys.modules.get('kept', [])\n"
    "def mark():\n  sys.modules['kept'].append(1)\n  return len(sys.modules['kept'])",
    "another's generator": "import statistics\nstatistics.random.seed(7)\n"
    "def mark(): return statistics.random.randint(1, 10)",
    "a variable": "import os\nos.environ['GAMES'] = os.environ.get('GAMES', '') + 'x'\n"
    "def mark(): return len(os.environ['GAMES'])",
    "a file": "def mark():\n  with open('games', 'a') as file: file.write('x')\n"
    "  return len(open('games').read())",
    "a process": "import os\ndef mark(): return 1 + os.system('exit 3') // 256",
    "another folder": "import os\ndef mark():\n  os.chdir('/'); return 4",
    "a folder of code": "import spare.part\ndef mark(): return 2",
}
"""Return bots that read outside of their own files."""


REACHING_IN_SUITE = (
    "a function of math",
    "sys.modules",
    "another's generator",
    "a variable",
    "a file",
)
"""The bots that the suite plays; the long run plays all."""


def test_who_reaches_further_finds_nothing(tmp_path: Path) -> None:
    """No match sees changes of another match to the interpreter, the library or its folder."""
    names = REACHING if LONG_RUN else REACHING_IN_SUITE
    bots = [
        keeper(tmp_path / str(number), f"reaching{number}", REACHING[name])
        for number, name in enumerate(names)
    ]
    found, single = cup(tmp_path / "cup", bots), one_by_one(tmp_path / "single", bots)
    assert [path for path in found if found[path] != single[path]] == []


# --- faults --------------------------------------------------------------------------------------

NOW = "int(os.environ['KOTH_BOT_SEED'], 16) % 3 == 1"
"""Python condition that is true in the second match and false in the first."""

HEAD = f"import os, sys, time\nnow = {NOW}\n"
FAILING: dict[str, dict[str, str]] = {
    "load": {"head": HEAD + "if now: raise ValueError"},
    "exit at load": {"head": HEAD + "if now: sys.exit(0)"},
    "construct": {"head": HEAD, "init": "if now: raise ValueError"},
    "update": {"head": HEAD, "update": "if now: raise ValueError"},
    "select": {"head": HEAD, "select": "if now: raise ValueError\nreturn 1"},
    "last update": {"head": HEAD, "update": "if now and self.round == 4: raise ValueError"},
    "too high": {"head": HEAD, "select": "return 11 if now else 1"},
    "too high for a byte": {"head": HEAD, "select": "return 257 if now else 1"},
    "below zero": {"head": HEAD, "select": "return -1 if now else 1"},
    "a bool": {"head": HEAD, "select": "return True if now else 1"},
    "a float": {"head": HEAD, "select": "return 1.0 if now else 1"},
    "nothing": {"head": HEAD, "select": "return None if now else 1"},
    "exits": {"head": HEAD, "select": "if now: exit()\nreturn 1"},
    "goes": {"head": HEAD, "update": "if now: os._exit(0)"},
    "dies": {"head": HEAD, "update": "if now: os.kill(os.getpid(), 9)"},
    "closes all": {"head": HEAD, "select": "if now: os.closerange(0, 21)\nreturn 1"},
    "floods": {
        "head": HEAD
        + "def flood():\n  for fd in range(3, 10):\n    try: os.write(fd, b'x' * 999)\n"
        "    except OSError: pass",
        "select": "if now: [flood() for _ in range(999)]\nreturn 1",
    },
}


@pytest.mark.parametrize(
    "bodies",
    sampled(
        FAILING,
        [
            *("load", "construct", "last update", "too high for a byte", "a bool", "dies"),
            "floods",
        ],
    ),
)
def test_the_blame_lands_on_the_right_match(bodies: dict[str, str], tmp_path: Path) -> None:
    """A bot that fails in a batch is disqualified for the same match as without batches."""
    bots = [class_bot(tmp_path, "villain", **bodies), calm(tmp_path)]
    found = cup(tmp_path / "cup", bots)
    assert found == one_by_one(tmp_path / "single", bots)
    [out] = [e for e in loads(found["tournament.jsonl"]) if e["type"] == "disqualified"]
    assert out["entrant"] == 0
    assert out["match"] == "1-000001"


@pytest.mark.parametrize(
    "kind",
    sampled(
        {kind: kind for kind in ("load", "select", "a bool", "too high for a byte", "exits")},
        ["select", "a bool"],
    ),
)
def test_without_isolation_the_blame_is_the_same(kind: str, tmp_path: Path) -> None:
    """Bots that may not run in the referee's process get their own processes."""
    bots = [class_bot(tmp_path, "villain", **FAILING[kind]), calm(tmp_path)]
    found = cup(tmp_path / "cup", bots, isolation="none")
    assert found == one_by_one(tmp_path / "single", bots)


@pytest.mark.parametrize("choice", ["1 << 63", "10**5000", "True", "'1'", "None", "1.0", "0", "11"])
def test_in_the_referees_process_a_wrong_choice_is_the_same(choice: str, tmp_path: Path) -> None:
    """A bot that plays in the referee's process fails with the bytes of one in its own."""
    bots = [
        class_bot(tmp_path, name, head="", select=f"return {choice if name == 'villain' else 1}")
        for name in ("villain", "other")
    ]
    assert all(map(shares_nothing, bots))
    found = cup(tmp_path / "none", bots, isolation="none")
    assert found == cup(tmp_path / "process", bots)


@contextmanager
def removing_closed_logs() -> Iterator[None]:
    """Refuse to remove a log that is still open, as Windows does."""
    drop = match.drop

    def checked(job: MatchJob) -> None:
        LogWriter(job.log, again=True).close()  # raises InUse if it is open
        drop(job)

    with patch.object(match, "drop", checked):
        yield


@pytest.mark.parametrize("body", ["return deep(975)", "random.seed(float('nan')); return 1"])
def test_what_the_referees_process_cannot_host_is_played_elsewhere(
    body: str, tmp_path: Path
) -> None:
    """A bot that needs all of the stack, or a seed that is an address, fails at no isolation."""
    head = "import random\ndef deep(n): return deep(n - 1) if n else 1"
    bots = [class_bot(tmp_path, "deep", head=head, select=body), class_bot(tmp_path, "x", head="")]
    assert all(map(shares_nothing, bots))
    with removing_closed_logs():
        found = cup(tmp_path / "none", bots, isolation="none")
    assert found == cup(tmp_path / "process", bots)
    assert b"disqualified" not in found["tournament.jsonl"]


def test_the_evidence_has_the_limits_of_bots_outside_of_the_referees_process(
    tmp_path: Path,
) -> None:
    """At `none`, bots in the referee's process have no limits, and others those of `process`."""
    proven = resolve(["examples/uniform", "examples/bayes"], UNIQUE)
    printing = class_bot(tmp_path, "printing", select="print(1); return 2")
    assert all(map(shares_nothing, proven))
    assert not shares_nothing(printing)
    inside, outside, process = (tmp_path / name for name in ("inside", "outside", "process"))
    cup(inside, proven, isolation="none")
    cup(outside, [proven[0], printing], isolation="none")
    cup(process, [proven[0], printing])
    assert recorded_limits(inside) == [{}, {}]
    assert recorded_limits(outside) == recorded_limits(process)
    assert all("cpu_s" in limits for limits in recorded_limits(process))


def test_in_the_referees_process_a_full_disk_is_no_bots_fault(tmp_path: Path) -> None:
    """If a bot's files do not fit, the error names the folder and says what to do."""
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with (
        patch.object(Bot, "install", side_effect=full),
        pytest.raises(RefereeError, match="Make room"),
        answerers([calm(tmp_path)]),
    ):
        pass


@short_decisions(0.2)
def test_a_bot_that_is_too_slow(tmp_path: Path) -> None:
    """A bot that is too slow in one match of a batch is blamed for that match."""
    body = f"if {NOW} and self.round == 2: time.sleep(9)\nreturn 1"
    bots = [class_bot(tmp_path, "villain", select=body), calm(tmp_path)]
    found = cup(tmp_path / "cup", bots)
    assert found == one_by_one(tmp_path / "single", bots)
    assert b'"kind":"timeout"' in found["tournament.jsonl"]


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_an_interpreter_that_is_not_there(isolation: str, tmp_path: Path) -> None:
    """A bot that cannot be started crashes in a batch as in a single match."""
    script(tmp_path, "ghost.py", class_source(name="Ghost"))
    toml = '[[bots]]\nname = "ghost"\ncommand = "no-such-python ghost.py"'
    [ghost] = resolve([str(script(tmp_path, "bots.toml", toml))], UNIQUE)
    bots = [ghost, calm(tmp_path)]
    assert cup(tmp_path / "cup", bots, isolation=isolation) == one_by_one(tmp_path / "single", bots)


def test_with_few_files_batches_are_smaller(tmp_path: Path) -> None:
    """A batch that needs too many open files is played in parts."""
    bots = [calm(tmp_path), class_bot(tmp_path, "other")]
    expected = one_by_one(tmp_path / "single", bots)
    with few_files(30), removing_closed_logs():
        assert cup(tmp_path / "cup", bots) == expected


# --- the end of the processes --------------------------------------------------------------------


@pytest.fixture
def started() -> Iterator[list[int]]:
    """Return the ids of the bots' processes, in the order in which they start."""
    pids: list[int] = []
    start = class_process.BotProcess._start

    def noting(self: class_process.BotProcess, *given: Any) -> None:
        start(self, *given)
        pids.append(number_of(self.exited))

    with patch.object(class_process.BotProcess, "_start", noting):
        yield pids


@pytest.mark.parametrize("body", ["return 1", "while self.round > 2: time.sleep(9)\nreturn 1"])
@short_decisions(0.2)
def test_nothing_is_left(body: str, started: list[int], tmp_path: Path) -> None:
    """After a tournament all its processes have ended, even if matches failed."""
    pool.close()
    before = os.listdir("/proc/self/fd")  # noqa: PTH208
    cup(tmp_path / "cup", [class_bot(tmp_path, "one", select=body), calm(tmp_path)])
    pool.close()
    assert started
    assert all(map(dies, started))
    assert os.listdir("/proc/self/fd") == before  # noqa: PTH208


def test_an_interrupt_ends_a_batch(started: list[int], tmp_path: Path) -> None:
    """All processes of a batch end when the referee is interrupted."""

    def interrupt(*given: Any) -> None:
        raise KeyboardInterrupt

    with (
        patch.object(class_.LockstepBatch, "ask", interrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        cup(tmp_path / "cup", [calm(tmp_path), class_bot(tmp_path, "other")])
    assert len(started) == 4
    assert all(map(dies, started))


def test_an_interrupt_as_a_batch_ends_leaves_no_process(started: list[int], tmp_path: Path) -> None:
    """If the end of one process is interrupted, those of the other bots end nevertheless."""
    end = class_.HostedBot.end

    def interrupt(*given: Any) -> None:
        raise KeyboardInterrupt

    def interrupted(self: class_.HostedBot) -> None:
        end(self)
        raise KeyboardInterrupt

    with (
        patch.object(class_.LockstepBatch, "ask", interrupt),
        patch.object(class_.HostedBot, "end", interrupted),
        pytest.raises(KeyboardInterrupt),
    ):
        cup(tmp_path / "cup", [calm(tmp_path), class_bot(tmp_path, "other")])
    assert len(started) == 4
    assert all(map(dies, started))


# --- batches -------------------------------------------------------------------------------------


def numbered(folder: Path, bots: Callable[[int], Sequence[Bot]]) -> Iterator[MatchJob]:
    """Yield matches without end."""
    for number in count():
        yield job(folder / str(number), bots(number), UNIQUE)


def test_a_schedule_is_divided_into_batches(tmp_path: Path) -> None:
    """Batches follow from the schedule, and are formed only when they are needed."""
    size = scheduler.SIZES["class"]

    def sizes(bot: Bot, matches: int, workers: int) -> list[int]:
        schedule = islice(numbered(tmp_path, lambda number: [bot, bot]), matches)
        return [len(batch.jobs) for batch in scheduler.in_batches(schedule, True, workers)]

    proven, unproven = class_bot(tmp_path, "proven", head=""), calm(tmp_path)
    endless = numbered(tmp_path, lambda number: [proven])
    found = islice(scheduler.in_batches(endless, True), 3)
    assert [len(batch.jobs) for batch in found] == [size] * 3
    assert sizes(proven, 2 * size + 19, workers=1) == [size, size, 19]
    assert sizes(proven, 2 * size + 19, workers=2) == [size, size, 10, 9]
    assert sizes(unproven, 11, workers=1) == [scheduler.UNSHARED // 2] * 2 + [1]
    scripts = (job(tmp_path, [proven]) for _ in range(3))
    assert [len(batch.jobs) for batch in scheduler.in_batches(scripts, True)] == [1, 1, 1]
