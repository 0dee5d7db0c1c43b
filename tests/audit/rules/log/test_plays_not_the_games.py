"""The rule ``log/plays_not_the_games``."""

from __future__ import annotations

from tests.audit.contests import event, found
from tests.contests import Events


def _first_stage_only(events: Events) -> None:
    del events[events.index(event(events, "stage_finished", stage=1)) + 1 :]


def _of_all(events: Events) -> None:
    _first_stage_only(events)
    events[0]["plays"] = "tournaments"


def test_plays_not_the_games() -> None:
    """A contest of Coup that plays whole tournaments is found, also before its second stage."""
    assert found(_first_stage_only) == set()
    assert found(_of_all) == {"log/plays_not_the_games"}
