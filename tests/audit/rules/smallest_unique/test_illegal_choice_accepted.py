"""The rule ``smallest_unique/illegal_choice_accepted``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_illegal_choice_accepted(tmp_path: Path) -> None:
    """A choice of 11 that was accepted is found."""
    log = failed("select")
    log.first("answered")["output"] = "11"
    assert fired(tmp_path, log) == {"smallest_unique/illegal_choice_accepted"}
