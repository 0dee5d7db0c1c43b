"""A small contest, changed in many ways, and the audit rules that find each change.

All are audited at once, when the first test asks: each in a folder of its own, with the same id.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from tests import contests, factories
from tests.audit.together import Change, Together
from tests.contests import Events
from tests.sampling import LONG_RUN

_FOLDER = TemporaryDirectory(prefix="koth-tests-")


@cache
def _contest() -> Path:
    """Three stages of pairings: a late bot, one that leaves and comes back, and one revised."""
    folder = Path(_FOLDER.name)
    cup, bots = folder / "cup", folder / "bots"

    def hold() -> None:
        contests.new(cup)
        contests.enter(cup, [contests.bot(bots, name) for name in ("anna", "bert", "cleo")])
        contests.run(cup)
        contests.withdraw(cup, "anna")
        contests.enter(cup, [contests.bot(bots, name) for name in ("dora", "anna")])
        contests.run(cup, "drand 4711")
        contests.enter(cup, [contests.bot(bots, "bert", "better")])
        contests.run(cup)

    contests.simulated(hold)
    return cup


@dataclass(frozen=True)
class _Cup:
    """The contest after a change of its folder."""

    change: Callable[[Path], object]

    def write(self, folder: Path) -> None:
        self.change(copied(folder))


def copied(folder: Path) -> Path:
    """Copy the contest to a new folder, and return it."""
    return Path(copytree(_contest(), folder))


def _beside_the_original() -> Together:
    """An audit in which the original contest is clean.

    The suite leaves the rules of the game to the long run.
    """
    together = Together(games=LONG_RUN)
    together.clean.append(_Cup(lambda cup: None))
    return together


_TOGETHER = _beside_the_original()
fired = _TOGETHER.fired


def doctored(change: Callable[[Events], object]) -> Change:
    """Have the contest, after a change of its events, audited together with all others."""

    def rewrite(cup: Path) -> None:
        events = contests.events(cup)
        change(events)
        contests.rewrite(cup, events)

    return doctored_folder(rewrite)


def doctored_stage(stage: int, change: Callable[[Events], object]) -> Change:
    """The same for the events of a stage's tournament, which is sealed again."""

    def rewrite(cup: Path) -> None:
        path = cup / f"stages/{stage:04}/tournament.jsonl"
        events = factories.loads(path.read_bytes())
        change(events)
        factories.write(path, events, events[-1]["seed"])

    return doctored_folder(rewrite)


def doctored_folder(change: Callable[[Path], object]) -> Change:
    """The same for the contest's folder."""
    return _TOGETHER.doctored(lambda: _Cup(change))


def fired_alone(change: Callable[[Path], object]) -> set[str]:
    """The rules that find a change of the contest's folder, audited beside the original alone."""
    together = _beside_the_original()
    return together.fired(together.doctored(lambda: _Cup(change)))


def event(events: Events, type: str, **fields: object) -> dict[str, object]:
    """The first event of this type with these fields."""
    expected = {"type": type, **fields}
    return next(event for event in events if event | expected == event)
