"""The rule ``log/stage_not_played_by_those_in``."""

from __future__ import annotations

from tests.audit.contests import event, found
from tests.contests import Events


def _change(events: Events) -> None:
    position = events.index(event(events, "stage_started", stage=3))
    events.insert(position, {"type": "withdrawn", "name": "dora"})


def test_stage_not_played_by_those_in() -> None:
    """A stage in which a withdrawn bot plays is found."""
    assert found(_change) == {"log/stage_not_played_by_those_in"}
