"""The rule ``coup/published_rank_not_from_the_points``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.imported_logs import COUP, broken

RULE = "coup/published_rank_not_from_the_points"


def test_published_rank_not_from_the_points(tmp_path: Path) -> None:
    """A bot below one with fewer points is found, but not a rank that two share."""
    assert broken(RULE, tmp_path, COUP.replace("25", "20"), COUP.replace("20", "14")) == [
        ("rank 2 for 15 points, best first", "rank 2 in line 3: Cleo")
    ]
