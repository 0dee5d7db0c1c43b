"""The rule ``coins/legal_answer_called_illegal``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_legal_answer_called_illegal(tmp_path: Path) -> None:
    """A legal answer, white space around it, that was rejected is found."""
    log = still()
    log.first("fault")["output"] = "\t\n NNN\r\f\v"
    assert fired(tmp_path, log) == {"coins/legal_answer_called_illegal"}
