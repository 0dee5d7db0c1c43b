"""The rule ``smallest_unique/final_table_not_from_the_matches``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest
from tests.audit.holding import fired
from tests.audit.unique_games import tournament


def test_final_table_not_from_the_matches(tmp_path: Path) -> None:
    """An entrant that was disqualified is found in the final table."""

    def doctor(logs: Contest) -> None:
        logs.standings.append({"rank": 6, "entrant": 1, "score": 0, "games": 3})

    assert fired(tmp_path, tournament(), doctor) == {
        "smallest_unique/final_table_not_from_the_matches"
    }
