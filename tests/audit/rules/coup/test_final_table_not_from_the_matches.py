"""The rule ``coup/final_table_not_from_the_matches``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.standings[0]["score"] += 1
    return logs


def test_final_table_not_from_the_matches() -> None:
    """A final table with a point too many is found."""
    assert fired(_changed) == {"coup/final_table_not_from_the_matches"}
