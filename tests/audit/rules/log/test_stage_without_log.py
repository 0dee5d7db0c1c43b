"""The rule ``log/stage_without_log``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

from tests import contests
from tests.audit.contests import event, found_in


def _without(*stages: int) -> Callable[[Path], None]:
    def remove(cup: Path) -> None:
        for stage in stages:
            (cup / f"stages/{stage:04}/tournament.jsonl").unlink()

    return remove


def test_stage_without_log() -> None:
    """A finished stage without its tournament's log is found, also if no stage has one."""
    assert found_in(_without(3)) == {"log/stage_without_log"}
    assert found_in(_without(1, 2, 3)) == {"log/stage_without_log"}


def test_a_missing_stage_accuses_no_later_one() -> None:
    """The later stages play those who did not meet in it, as the contest's log says."""
    assert found_in(_without(1)) == {"log/stage_without_log"}


def test_a_contest_without_its_stages() -> None:
    """The log of a contest alone has no finding, as an observer may have it."""
    assert found_in(lambda cup: rmtree(cup / "stages")) == set()


def _begun(cup: Path) -> None:
    events = contests.events(cup)
    contests.rewrite(cup, events[: events.index(event(events, "stage_finished", stage=3))])
    rmtree(cup / "stages/0003")


def test_a_stage_that_has_begun() -> None:
    """A stage that is not finished need not have a log."""
    assert found_in(_begun) == set()
