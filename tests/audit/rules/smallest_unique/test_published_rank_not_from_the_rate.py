"""The rule ``smallest_unique/published_rank_not_from_the_rate``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.imported_logs import SMALLEST_UNIQUE, broken

RULE = "smallest_unique/published_rank_not_from_the_rate"


def test_published_rank_not_from_the_rate(tmp_path: Path) -> None:
    """A bot below one with a lower rate is found, although it has fewer wins."""
    fewer = SMALLEST_UNIQUE.replace("0.1550 (310/2000)", "0.1938 (310/1600)")
    [found] = broken(RULE, tmp_path, SMALLEST_UNIQUE, fewer)
    assert found == ("rank 3 for 310/1600, best first", "rank 3 in line 10: Bot9")
