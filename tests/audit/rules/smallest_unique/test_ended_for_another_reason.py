"""The rule ``smallest_unique/ended_for_another_reason``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_ended_for_another_reason(tmp_path: Path) -> None:
    """A void game that is said to have been played is found."""
    log = failed("select")
    log.first("match_finished")["reason"] = "played"
    assert fired(tmp_path, log) == {"smallest_unique/ended_for_another_reason"}
