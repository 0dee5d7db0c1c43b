"""The rule ``smallest_unique/more_wins_than_games``."""

from __future__ import annotations

from pathlib import Path

from tests.audit import outcomes
from tests.audit.imported_logs import SMALLEST_UNIQUE, broken
from tests.audit.together import findings_of

RULE = "smallest_unique/more_wins_than_games"


def test_more_wins_than_games(tmp_path: Path) -> None:
    """A bot that won more games than it played is found."""
    more = SMALLEST_UNIQUE.replace("0.2000 (400/2000)", "1.0005 (2001/2000)")
    assert broken(RULE, tmp_path, SMALLEST_UNIQUE, more) == [("0 to 2000 wins of Bot0", "2001")]


def test_fewer_wins_than_none(tmp_path: Path) -> None:
    """A negative number of wins is found."""
    table = {"Anna": (-1, 10), "Ben": (3, 10)}
    outcomes.final_table(tmp_path / "table.jsonl", "smallest_unique", table)
    assert [finding.found for finding in findings_of(RULE, tmp_path)] == ["-1"]


def test_games_that_nobody_won(tmp_path: Path) -> None:
    """Fewer wins in all than there were games are found: every game has a winner."""
    fewer = "".join(f"Bot{n}: 0.0995 (199/2000)\n" for n in range(10))
    just_enough = "Bot0: 1.0000 (2000/2000)\n"
    just_enough += "".join(f"Bot{n}: 0.0000 (0/2000)\n" for n in range(1, 10))
    assert broken(RULE, tmp_path, just_enough, fewer) == [
        ("at least 2000 wins of all, one a game", "1990")
    ]
