"""The rule ``coins/published_rank_not_from_the_sums``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.imported_logs import COINS, broken

RULE = "coins/published_rank_not_from_the_sums"


def test_published_rank_not_from_the_sums(tmp_path: Path) -> None:
    """A rank that others with the same sum do not share is found."""
    assert broken(RULE, tmp_path, COINS, COINS.replace("2. Cleo", "3. Cleo")) == [
        ("rank 2 for 5 points in all, best first", "rank 3 in line 3: Cleo")
    ]


def test_published_sums_out_of_order(tmp_path: Path) -> None:
    """A sum that does not fit its rank is found, and a line below a worse one."""
    found = broken(RULE, tmp_path, COINS, COINS.replace("Dora: -1", "Dora: 6"))
    assert ("rank 2 for 6 points in all, best first", "rank 4 in line 4: Dora") in found
    *above, cleo, dora = COINS.splitlines(keepends=True)
    assert broken(RULE, tmp_path / "exchanged", COINS, "".join([*above, dora, cleo])) == [
        ("rank 2 for 5 points in all, best first", "rank 2 in line 4: Cleo")
    ]
