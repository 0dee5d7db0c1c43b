"""The rule ``smallest_unique/final_table_not_from_the_matches``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    logs.standings.append({"rank": 6, "entrant": 1, "score": 0, "games": 3})
    return logs


def test_final_table_not_from_the_matches() -> None:
    """An entrant that was disqualified is found in the final table."""
    assert fired(_changed) == {"smallest_unique/final_table_not_from_the_matches"}
