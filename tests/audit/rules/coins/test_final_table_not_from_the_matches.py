"""The rule ``coins/final_table_not_from_the_matches``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import tournament
from tests.audit.contest import Contest
from tests.audit.holding import fired


def test_final_table_not_from_the_matches(tmp_path: Path) -> None:
    """A sum that is too high is found."""

    def doctor(logs: Contest) -> None:
        logs.standings[2]["score"] += 1

    assert fired(tmp_path, tournament(), doctor) == {"coins/final_table_not_from_the_matches"}
