"""The rule ``coup/forfeit_not_scored``."""

from __future__ import annotations

from pathlib import Path

from games.table import Fault
from tests.audit.doctoring import failing, fired


def test_forfeit_not_scored(tmp_path: Path) -> None:
    """A victory given to the bot that failed is found."""
    log = failing(Fault("crash"))
    result = log.first("match_finished")
    result["scores"].reverse()
    result["winners"] = [1 - result["winners"][0]]
    assert fired(tmp_path, log) == {"coup/forfeit_not_scored"}
