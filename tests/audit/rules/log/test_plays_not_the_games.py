"""The rule ``log/plays_not_the_games``."""

from __future__ import annotations

from tests.audit.contests import doctored, event, fired
from tests.contests import Events


def _cut(events: Events) -> None:
    del events[events.index(event(events, "stage_finished", stage=1)) + 1 :]


_first_stage_only = doctored(_cut)


@doctored
def _of_all(events: Events) -> None:
    _cut(events)
    events[0]["plays"] = "tournaments"


def test_plays_not_the_games() -> None:
    """A contest of Coup that plays whole tournaments is found, also before its second stage."""
    assert fired(_first_stage_only) == set()
    assert fired(_of_all) == {"log/plays_not_the_games"}
