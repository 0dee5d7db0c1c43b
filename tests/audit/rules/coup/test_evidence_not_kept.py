"""The rule ``coup/evidence_not_kept``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import failing, fired
from tests.making import answer


def test_evidence_not_kept(tmp_path: Path) -> None:
    """An illegal answer that is not in the log is found."""
    log = failing(answer("X"))
    del log.first("fault")["appended"]
    assert fired(tmp_path, log) == {"coup/evidence_not_kept"}
