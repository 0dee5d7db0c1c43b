"""The rule ``log/stage_not_played_by_those_in``."""

from __future__ import annotations

from tests.audit.contests import doctored, event, fired
from tests.contests import Events


def _before_the_last_stage(events: Events, change: dict[str, object]) -> None:
    events.insert(events.index(event(events, "stage_started", stage=3)), change)


@doctored
def _withdrawn(events: Events) -> None:
    _before_the_last_stage(events, {"type": "withdrawn", "name": "dora"})


@doctored
def _entered(events: Events) -> None:
    _before_the_last_stage(events, event(events, "entered", name="dora") | {"name": "emil"})


def test_stage_not_played_by_those_in() -> None:
    """A stage in which a withdrawn bot plays is found, and one in which an entrant does not."""
    assert fired(_withdrawn) == {"log/stage_not_played_by_those_in"}
    assert fired(_entered) == {"log/stage_not_played_by_those_in"}
