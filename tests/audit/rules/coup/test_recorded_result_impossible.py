"""The rule ``coup/recorded_result_impossible``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_recorded_result_impossible(tmp_path: Path) -> None:
    """A drawn match with a point is found."""
    logs = contest()
    line = next(line for line in logs.played if line["reason"] == "drawn")
    line["scores"] = [1, 0]
    assert fired(tmp_path, logs) == {
        "coup/recorded_result_impossible",
        "coup/final_table_not_from_the_matches",
        "log/result_not_the_match_logs",
    }
