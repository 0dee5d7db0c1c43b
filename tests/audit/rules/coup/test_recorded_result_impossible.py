"""The rule ``coup/recorded_result_impossible``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    line = next(line for line in logs.played if line["reason"] == "drawn")
    line["scores"] = [1, 0]
    return logs


def test_recorded_result_impossible() -> None:
    """A drawn match with a point is found."""
    assert fired(_changed) == {
        "coup/recorded_result_impossible",
        "coup/final_table_not_from_the_matches",
        "log/result_not_the_match_logs",
    }
