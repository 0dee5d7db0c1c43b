"""The rule ``smallest_unique/account_out_of_order``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_account_out_of_order(tmp_path: Path) -> None:
    """A disqualification above the game in which it came about is found."""

    def doctor(logs: Contest) -> None:
        place = next(n for n, e in enumerate(logs.events) if e["type"] == "disqualified")
        logs.events[place - 1 : place + 1] = logs.events[place - 1 : place + 1][::-1]

    assert fired(tmp_path, tournament(), doctor) == {"smallest_unique/account_out_of_order"}
