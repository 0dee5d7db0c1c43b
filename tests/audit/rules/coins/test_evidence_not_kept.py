"""The rule ``coins/evidence_not_kept``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    del log.first("fault")["output"]
    return log


def test_evidence_not_kept() -> None:
    """An illegal answer that was not kept is found."""
    assert fired(_changed) == {"coins/evidence_not_kept"}
