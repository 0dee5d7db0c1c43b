"""The rule ``log/entrants_in_another_order``."""

from __future__ import annotations

from tests.audit.contests import doctored, event, fired
from tests.contests import Events


@doctored
def _swapped(events: Events) -> None:
    events[1], events[2] = events[2], events[1]


def test_entrants_in_another_order() -> None:
    """Two bots that were entered in another order than that of their stages are found."""
    assert fired(_swapped) == {"log/entrants_in_another_order"}


@doctored
def _back_earlier(events: Events) -> None:
    again = [n for n, one in enumerate(events) if one.get("name") == "anna"][-1]
    dora = event(events, "entered", name="dora")
    events.insert(events.index(dora), events.pop(again))


def test_first_entry_counts() -> None:
    """A bot that is entered again keeps its place, so the order of later entries is free."""
    assert fired(_back_earlier) == set()
