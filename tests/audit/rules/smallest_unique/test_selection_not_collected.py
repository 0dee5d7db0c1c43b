"""The rule ``smallest_unique/selection_not_collected``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_selection_not_collected(tmp_path: Path) -> None:
    """A choice of the last round that is not on record is found."""
    log = failed("select")
    log.drop(log.first("answered"))
    assert fired(tmp_path, log) == {"smallest_unique/selection_not_collected"}
