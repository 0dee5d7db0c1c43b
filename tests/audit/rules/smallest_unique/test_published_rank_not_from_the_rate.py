"""The rule ``smallest_unique/published_rank_not_from_the_rate``."""

from __future__ import annotations

from pathlib import Path

from tests.audit import outcomes
from tests.audit.imported_logs import SMALLEST_UNIQUE, broken
from tests.audit.together import findings_of

RULE = "smallest_unique/published_rank_not_from_the_rate"

SHARED = "A: 1.0000 (1/1)\nB: 1.0000 (2/2)\nC: 0.5000 (1/2)\nD: 0.0000 (0/9)\nE: 0.0000 (0/0)\n"


def test_published_rank_not_from_the_rate(tmp_path: Path) -> None:
    """A bot below one with a lower rate is found, although it has fewer wins."""
    fewer = SMALLEST_UNIQUE.replace("0.1550 (310/2000)", "0.1938 (310/1600)")
    [found] = broken(RULE, tmp_path, SHARED, fewer)
    assert found == ("rank 3 for 310/1600, best first", "rank 3 in line 10: Bot9")


def test_published_ranks_that_are_not_shared(tmp_path: Path) -> None:
    """A rank below an equal rate is found, but nothing in another table."""
    for name, wins in (("equal", 1), ("sound", 2)):
        table = {"Anna": (wins, 4), "Ben": (1, 4)}
        outcomes.final_table(tmp_path / f"{name}.jsonl", "smallest_unique", table, name)
    findings = findings_of(RULE, tmp_path)
    assert [(Path(finding.path).stem, finding.expected) for finding in findings] == [
        ("equal", "rank 1 for 1/4, best first")
    ]
