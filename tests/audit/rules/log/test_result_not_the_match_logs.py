"""The rule ``log/result_not_the_match_logs``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_result_not_the_match_logs(tmp_path: Path) -> None:
    """A result that the tournament turned round is found."""
    logs = contest()
    line = next(line for line in logs.played if line["winners"])
    line["scores"].reverse()
    line["winners"] = [1 - line["winners"][0]]
    assert fired(tmp_path, logs) == {
        "log/result_not_the_match_logs",
        "coup/final_table_not_from_the_matches",
    }
