"""The rule ``smallest_unique/legal_choice_called_illegal``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_legal_choice_called_illegal(tmp_path: Path) -> None:
    """A legal choice that was rejected is found."""
    log = failed("select")
    log.first("fault")["output"] = "10"
    assert fired(tmp_path, log) == {"smallest_unique/legal_choice_called_illegal"}
