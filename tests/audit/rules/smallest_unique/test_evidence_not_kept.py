"""The rule ``smallest_unique/evidence_not_kept``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_evidence_not_kept(tmp_path: Path) -> None:
    """An illegal choice that was not kept is found."""
    log = failed("select")
    del log.first("fault")["output"]
    assert fired(tmp_path, log) == {"smallest_unique/evidence_not_kept"}
