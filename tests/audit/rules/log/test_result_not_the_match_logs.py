"""The rule ``log/result_not_the_match_logs``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    line = next(line for line in logs.played if line["winners"])
    line["scores"].reverse()
    line["winners"] = [1 - line["winners"][0]]
    return logs


def test_result_not_the_match_logs() -> None:
    """A result that the tournament turned round is found."""
    assert fired(_changed) == {
        "log/result_not_the_match_logs",
        "coup/final_table_not_from_the_matches",
    }
