"""The rule ``coins/evidence_not_kept``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_evidence_not_kept(tmp_path: Path) -> None:
    """An illegal answer that was not kept is found."""
    log = still()
    del log.first("fault")["output"]
    assert fired(tmp_path, log) == {"coins/evidence_not_kept"}
