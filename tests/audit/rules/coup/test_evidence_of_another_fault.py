"""The rule ``coup/evidence_of_another_fault``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, failing, fired
from tests.factories import answer


@doctored
def _changed() -> Doctored:
    log = failing(answer("X"))
    log.first("fault")["file"] = "X"
    return log


def test_evidence_of_another_fault() -> None:
    """An illegal answer with a whole file in its record is found."""
    assert fired(_changed) == {"coup/evidence_of_another_fault"}
