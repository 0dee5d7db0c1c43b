"""The rule ``coup/final_table_not_from_the_matches``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_final_table_not_from_the_matches(tmp_path: Path) -> None:
    """A final table with a point too many is found."""
    logs = contest()
    logs.standings[0]["score"] += 1
    assert fired(tmp_path, logs) == {"coup/final_table_not_from_the_matches"}
