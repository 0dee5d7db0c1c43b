"""The rule ``coup/elimination_not_scored``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import ending, fired


def test_elimination_not_scored(tmp_path: Path) -> None:
    """A victory given to the player without cards is found."""
    log = ending("C[_'<=0]")
    result = log.first("match_finished")
    result["scores"].reverse()
    result["winners"] = [1 - result["winners"][0]]
    assert fired(tmp_path, log) == {"coup/elimination_not_scored"}
