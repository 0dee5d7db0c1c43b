"""The rule ``log/entrants_in_another_order``."""

from __future__ import annotations

from tests.audit.contests import event, found
from tests.contests import Events


def _swap(events: Events) -> None:
    events[1], events[2] = events[2], events[1]


def test_entrants_in_another_order() -> None:
    """Two bots that were entered in another order than that of their stages are found."""
    assert found(_swap) == {"log/entrants_in_another_order"}


def test_first_entry_counts() -> None:
    """A bot that is entered again keeps its place, so the order of later entries is free."""

    def enter_earlier(events: Events) -> None:
        again = [n for n, one in enumerate(events) if one.get("name") == "anna"][-1]
        dora = event(events, "entered", name="dora")
        events.insert(events.index(dora), events.pop(again))

    assert found(enter_earlier) == set()
