"""The rule ``coup/legal_answer_called_illegal``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import failing, fired
from tests.making import answer


def test_legal_answer_called_illegal(tmp_path: Path) -> None:
    """A legal answer that was rejected is found."""
    log = failing(answer("X"))
    log.first("fault")["appended"] = "F"
    assert fired(tmp_path, log) == {"coup/legal_answer_called_illegal"}
