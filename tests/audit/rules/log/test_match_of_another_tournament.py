"""The rule ``log/match_of_another_tournament``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_match_of_another_tournament(tmp_path: Path) -> None:
    """A match under the id of another tournament is found."""
    logs = contest()
    logs.matches["1-000000"][0]["tournament"] = "autumn"
    logs.seal("1-000000")
    assert fired(tmp_path, logs) == {"log/match_of_another_tournament"}
