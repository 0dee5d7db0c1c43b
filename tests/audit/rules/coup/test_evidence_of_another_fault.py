"""The rule ``coup/evidence_of_another_fault``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import failing, fired
from tests.making import answer


def test_evidence_of_another_fault(tmp_path: Path) -> None:
    """An illegal answer with a whole file in its record is found."""
    log = failing(answer("X"))
    log.first("fault")["file"] = "X"
    assert fired(tmp_path, log) == {"coup/evidence_of_another_fault"}
