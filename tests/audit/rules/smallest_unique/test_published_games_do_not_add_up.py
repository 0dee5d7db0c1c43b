"""The rule ``smallest_unique/published_games_do_not_add_up``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.imported_logs import SMALLEST_UNIQUE, broken

RULE = "smallest_unique/published_games_do_not_add_up"


def test_published_games_do_not_add_up(tmp_path: Path) -> None:
    """One game too few in the games column is found."""
    fewer = SMALLEST_UNIQUE.replace("(310/2000)", "(310/1999)").replace("0.1550", "0.1551")
    assert broken(RULE, tmp_path, SMALLEST_UNIQUE, fewer) == [("10 × 200 × 10 = 20000", "19999")]
