"""The rule ``smallest_unique/account_out_of_order``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    place = next(n for n, e in enumerate(logs.events) if e["type"] == "disqualified")
    logs.events[place - 1 : place + 1] = logs.events[place - 1 : place + 1][::-1]
    return logs


def test_account_out_of_order() -> None:
    """A disqualification above the game in which it came about is found."""
    assert fired(_changed) == {"smallest_unique/account_out_of_order"}
