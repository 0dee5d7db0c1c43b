"""The rule ``coup/more_points_than_games``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.imported_logs import COUP, broken

RULE = "coup/more_points_than_games"


def test_more_points_than_games(tmp_path: Path) -> None:
    """A bot with a point for every game and one more is found, and so are its points too many.

    A bot without a point is not.
    """
    assert broken(RULE, tmp_path, COUP + "0 Dora\n", COUP.replace("25", "41")) == [
        ("0 to 40 points of Anna", "41"),
        ("up to 60 points of all, one a game", "76"),
    ]


def test_more_points_than_games_of_all(tmp_path: Path) -> None:
    """A table in which nobody has too many points is found if all together have."""
    assert broken(RULE, tmp_path, COUP, COUP.replace("25", "26")) == [
        ("up to 60 points of all, one a game", "61")
    ]
