"""The rule ``smallest_unique/evidence_not_kept``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("select")
    del log.first("fault")["output"]
    return log


def test_evidence_not_kept() -> None:
    """An illegal choice that was not kept is found."""
    assert fired(_changed) == {"smallest_unique/evidence_not_kept"}
