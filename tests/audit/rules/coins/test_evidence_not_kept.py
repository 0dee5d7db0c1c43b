"""The rule ``coins/evidence_not_kept``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _illegal() -> Doctored:
    log = still()
    del log.first("fault")["output"]
    return log


@doctored
def _oversize() -> Doctored:
    log = still()
    del next(event for event in log.events if event.get("kind") == "oversize")["output"]
    return log


def test_evidence_not_kept() -> None:
    """An illegal or oversize answer that was not kept is found."""
    assert fired(_illegal) == {"coins/evidence_not_kept"}
    assert "coins/evidence_not_kept" in fired(_oversize)
