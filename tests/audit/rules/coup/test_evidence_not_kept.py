"""The rule ``coup/evidence_not_kept``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, failing, fired
from tests.factories import answer


@doctored
def _changed() -> Doctored:
    log = failing(answer("X"))
    del log.first("fault")["appended"]
    return log


def test_evidence_not_kept() -> None:
    """An illegal answer that is not in the log is found."""
    assert fired(_changed) == {"coup/evidence_not_kept"}
