"""``koth try``: from the command to a decision, and to the matches that were lost."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from koth.cli import progress, try_
from schema import registry
from schema.executor import Mapper, Progress, serial
from tests.factories import SEED, loads
from tests.koth.commands import Koth

BOTS = registry.card("coup").bots
UNIQUE = ["--set", "rounds=30", "--set", "seats=3"]
TALKER = """
import sys
class Talker:
    def __init__(self, index):
        print("seat", index)
        self.round = 0
    def select(self):
        print("round", self.round, file=sys.stderr)
        return 1 + self.round % 3
    def update(self, choices):
        self.round += 1
        print("saw", choices)
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the last try, in a cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "koth" / "try"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A bot that says on standard error what it may do, and lets pass what it can."""
    path = tmp_path / "mine.py"
    path.write_text(
        "import sys\npath, _, _, _, *legal = sys.argv[1:]\nprint('may', legal, file=sys.stderr)\n"
        "open(path, 'a').write('p' if 'p' in legal else legal[0])\n"
    )
    return path


def logs(folder: Path) -> dict[str, bytes]:
    """Return all match logs in a folder, by name."""
    return {path.name: path.read_bytes() for path in sorted((folder / "matches").iterdir())}


def test_from_the_command_to_a_lost_decision(
    koth: Koth, mine: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hopeless bot is decided on without a file to name; its lost matches open as printed."""
    words = ["try", "coup", mine, "--against", "examples/taxman", "--elo1", 200, "--seed", SEED]
    typed = koth(*words)
    assert typed.code == 0
    *_, status, verdict = typed.out.splitlines()
    assert verdict.startswith("mine is worse than taxman, by the sum of ")
    match = re.fullmatch(r"(\d+) games in (\d+) mirrored pairs, score .*, Elo .*, LLR .*", status)
    assert match is not None
    games, pairs = map(int, match.groups())
    assert games == 2 * pairs == len(logs(cache))
    assert koth("verify", cache).code == 0
    monkeypatch.chdir(tmp_path)
    [(seat, command), *_] = re.findall(
        r"^  taxman, seat (\d), .*: koth (report .*)$", typed.out, re.M
    )
    assert koth(*shlex.split(command)).code == 0
    [_, log, _, page] = shlex.split(command)
    assert (tmp_path / page).is_file()
    events = loads(Path(log).read_bytes())
    seq = next(n for n, event in enumerate(events) if event.get("seat") == int(seat))
    assert "stderr:\n    may ['" in koth("explain", log, seq).out
    first = logs(cache)
    again = koth(*words, "--games", 2)
    assert again.out.splitlines()[-1].startswith("Undecided whether mine is better than taxman")
    assert logs(cache) == dict(islice(first.items(), 2))


def test_a_decision_is_the_same_with_more_workers(koth: Koth, cache: Path, tmp_path: Path) -> None:
    """Seed, bots and settings decide; any number of processes writes the same bytes."""
    words = ["try", "smallest_unique", "examples/bayes", "--against", "examples/geometric"]
    words += ["examples/uniform", *UNIQUE, "--elo1", "400", "--seed", SEED, "--format", "json"]
    one = koth(*words).json
    two = koth(*words, "--jobs", 2, "-o", tmp_path / "two").json
    assert (one.pop("folder"), two.pop("folder")) == (str(cache), str(tmp_path / "two"))
    assert one["decision"] != "undecided"
    assert [rival["name"] for rival in one["against"]] == ["geometric", "uniform"]
    assert [loss.pop("log")[-13:] for loss in one["lost"]] == [
        loss.pop("log")[-13:] for loss in two["lost"]
    ]
    for loss in *one["lost"], *two["lost"]:
        del loss["other"]
    assert one == two
    assert logs(cache) == logs(tmp_path / "two")


@contextmanager
def interrupted(*_: object) -> Iterator[Mapper]:
    """Yield a mapper that is interrupted while it plays the third batch."""

    def mapper(function: Any, items: Iterable[Any], /) -> Generator[Any, None, None]:
        for number, item in enumerate(items):
            if number == 2:
                function(item)  # its logs are there, and it does not count
                raise KeyboardInterrupt
            yield from serial(function, [item])

    yield mapper


def test_an_interrupt_leaves_what_is_known(
    koth: Koth, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state so far is printed, and only the matches that count stay."""
    monkeypatch.setattr(try_, "workers", interrupted)
    folder = tmp_path / "kept"
    typed = koth("try", "coup", mine, "--against", "examples/taxman", "-o", folder)
    assert typed.code == 130
    assert "4 games in 2 mirrored pairs" in typed.out
    assert "Undecided" in typed.out
    assert len(logs(folder)) == len([*(folder / "evidence").iterdir()]) == 4


def test_a_folder_of_ones_own_needs_no_cache(
    koth: Koth, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user without a home folder can keep the matches with ``-o``."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", no_home)
    words = ["try", "coup", mine, "--against", "examples/taxman", "--games", 2]
    assert koth(*words, "-o", tmp_path / "kept").code == 0
    assert "Set XDG_CACHE_HOME or HOME" in koth.complaint(*words)


def no_home() -> Path:
    """Raise the error of ``Path.home`` for a user who is not in the system's list of users."""
    raise RuntimeError("Could not determine home directory.")


def test_progress_before_the_first_pair(
    koth: Koth, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The progress of a slow first pair says that there is none yet, and then its score."""
    texts = []

    @contextmanager
    def bar(_: str, work: progress.Work) -> Iterator[Progress]:
        texts.append(str(work))
        yield work.update
        texts.append(str(work))

    monkeypatch.setattr(progress, "bar", bar)
    assert koth("try", "coup", mine, "--against", "examples/taxman", "--games", 2).code == 0
    first, last = texts
    assert first == "no pair yet"
    assert last.startswith("2 games in 1 mirrored pair, score ")


def test_each_round_of_a_class_bot_has_its_output(koth: Koth, tmp_path: Path) -> None:
    """Output of a class bot, on either stream, is beside the decision that it belongs to."""
    bot = tmp_path / "talker.py"
    bot.write_text(TALKER)
    log = tmp_path / "log.jsonl"
    words = ["examples/uniform", "examples/bayes", "-o", log, *UNIQUE]
    assert koth("play", "smallest_unique", bot, *words).code == 0
    first, second = (koth("explain", log, seq).out for seq in (1, 2))
    assert "talker (seat 0):\n  stderr:\n    seat 0\n    round 0\n" in first
    assert re.search(r"stderr:\n    saw \[\d+, \d+, \d+\]\n    round 1\n", second)
    notes = koth("explain", log, 2, "--format", "json").json["notes"]
    assert [note["seat"] for note in notes] == [0]


def test_a_folder_in_use_is_left_alone(koth: Koth, tmp_path: Path) -> None:
    """A try at the same time has a folder of its own, and one with files is never taken by -o."""
    from referee.processes.scratch_dir import kept

    with kept(tmp_path / "try") as first, kept(tmp_path / "try") as second:
        assert (first.name, second.name) == ("try", "try-2")
    with pytest.raises(OSError, match="of another thing"), kept(tmp_path / "try"):
        raise OSError("of another thing")
    shutil.copy(BOTS / "taxman.py", tmp_path / "mine.py")
    message = koth.complaint(
        "try", "coup", tmp_path / "mine.py", "--against", "examples/taxman", "-o", tmp_path
    )
    assert "expected a new or an empty folder" in message


def test_wrong_usage_costs_no_matches(koth: Koth, cache: Path, tmp_path: Path) -> None:
    """A command that plays nothing keeps the matches of the last try, and makes no folder."""
    (cache / "matches").mkdir(parents=True)
    (cache / "matches/1-000000.jsonl").touch()
    words = ["try", "coup", "examples/taxman", "--against", "examples/mask"]
    expected = {
        ("examples/bandit", "--games", 2): "expected at least 4, a pair against each bot",
        ("--jobs", 5000): "jobs: expected a number from 1 to 512",
        ("examples/bandid",): "has no example bot 'bandid'",
    }
    for more, told in expected.items():
        assert told in koth.complaint(*words, *more)
        assert told in koth.complaint(*words, *more, "-o", tmp_path / "new")
    assert [*logs(cache)] == ["1-000000.jsonl"]
    assert not (tmp_path / "new").exists()


def test_any_number_of_games(koth: Koth) -> None:
    """A maximum beyond 64 bits is one like any other, which the test does not reach."""
    words = ["try", "coup", "examples/taxman", "--against", "examples/mask", "--seed", "7"]
    words += ["--alpha", "0.4", "--beta", "0.4", "--elo1", "1000", "--games", str(10**20)]
    typed = koth(*words)
    assert typed.code == 0, typed
    assert "taxman is " in typed.out


def test_a_bot_after_an_option_with_many_words(koth: Koth) -> None:
    """All words after --against are bots to compare with, so that no bot is taken for another."""
    message = koth.complaint("try", "coup", "--against", "examples/taxman", "examples/mask")
    assert message.startswith("Missing argument 'MINE'")
