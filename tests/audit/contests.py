"""A small contest whose log is changed, and the audit rules that find it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from audit.run_rules import audit
from audit.tables import open_database
from tests import contests, factories
from tests.audit.together import check_words
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


def found(change: Callable[[Events], object], stage: int | None = None) -> set[str]:
    """The rules that find a change of the contest's events, or of those of a stage's tournament."""

    def rewrite(cup: Path) -> None:
        if stage is None:
            events = contests.events(cup)
            change(events)
            contests.rewrite(cup, events)
        else:
            path = cup / f"stages/{stage:04}/tournament.jsonl"
            events = factories.loads(path.read_bytes())
            change(events)
            factories.write(path, events, events[-1]["seed"])

    return found_in(rewrite)


def found_in(change: Callable[[Path], object]) -> set[str]:
    """The rules that find a change of the contest's folder, audited beside the original.

    The suite leaves the rules of the game to the long run.
    """
    with TemporaryDirectory() as folder:
        cup = Path(folder) / "cup"
        copytree(_contest(), cup)
        change(cup)
        with open_database([cup, _contest()], current_only=True) as database:
            findings = audit(database if LONG_RUN else replace(database, games=())).findings
        for finding in findings:
            assert Path(finding.path).is_relative_to(cup), finding
            check_words(finding)
        return {finding.rule.id for finding in findings}


def event(events: Events, type: str, **fields: object) -> dict[str, object]:
    """The first event of this type with these fields."""
    expected = {"type": type, **fields}
    return next(event for event in events if event | expected == event)
