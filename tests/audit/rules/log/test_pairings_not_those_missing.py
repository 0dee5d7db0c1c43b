"""The rule ``log/pairings_not_those_missing``."""

from __future__ import annotations

from tests.audit.contests import found
from tests.contests import Events


def _change(events: Events) -> None:
    events[:] = [event for event in events if event.get("stage") != 1]


def test_pairings_not_those_missing() -> None:
    """A contest without its first stage has pairings that nobody played."""
    assert found(_change) == {
        "log/chain_seed_not_in_the_chain",
        "log/pairings_not_those_missing",
        "log/stage_not_played_by_those_in",
    }


def test_pairings_played_anew() -> None:
    """A stage of all pairings is found if some were in an earlier stage."""
    rules = found(lambda events: events[0].pop("pairings"), stage=3)
    assert "log/pairings_not_those_missing" in rules
