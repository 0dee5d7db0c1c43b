"""The rule ``log/stage_without_log``."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

from tests import contests
from tests.audit.contests import doctored_folder, event, fired, fired_alone


def _remove(cup: Path, *stages: int) -> None:
    for stage in stages:
        (cup / f"stages/{stage:04}/tournament.jsonl").unlink()


_WITHOUT_THE_FIRST = doctored_folder(lambda cup: _remove(cup, 1))
_WITHOUT_THE_LAST = doctored_folder(lambda cup: _remove(cup, 3))
_WITHOUT_ANY = doctored_folder(lambda cup: _remove(cup, 1, 2, 3))


def test_stage_without_log() -> None:
    """A finished stage without its tournament's log is found, also if no stage has one."""
    assert fired(_WITHOUT_THE_LAST) == {"log/stage_without_log"}
    assert fired(_WITHOUT_ANY) == {"log/stage_without_log"}


def test_a_missing_stage_accuses_no_later_one() -> None:
    """The later stages play those who did not meet in it, as the contest's log says."""
    assert fired(_WITHOUT_THE_FIRST) == {"log/stage_without_log"}


def test_a_contest_without_its_stages() -> None:
    """The log of a contest alone has no finding, as an observer may have it.

    A contest that lacks all logs of one stage has.
    """
    # Audited alone: the rule looks for the matches of a stage by the id of their tournament, in all
    # folders, and the contests above have matches whose tournament's log is missing.
    assert fired_alone(lambda cup: rmtree(cup / "stages")) == set()
    assert fired_alone(lambda cup: rmtree(cup / "stages/0003")) == {"log/stage_without_log"}


@doctored_folder
def _begun(cup: Path) -> None:
    events = contests.events(cup)
    contests.rewrite(cup, events[: events.index(event(events, "stage_finished", stage=3))])
    rmtree(cup / "stages/0003")


def test_a_stage_that_has_begun() -> None:
    """A stage that is not finished need not have a log."""
    assert fired(_begun) == set()
