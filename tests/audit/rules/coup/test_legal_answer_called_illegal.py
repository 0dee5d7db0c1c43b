"""The rule ``coup/legal_answer_called_illegal``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, failing, fired
from tests.factories import answer


@doctored
def _changed() -> Doctored:
    log = failing(answer("X"))
    log.first("fault")["appended"] = "F"
    return log


def test_legal_answer_called_illegal() -> None:
    """A legal answer that was rejected is found."""
    assert fired(_changed) == {"coup/legal_answer_called_illegal"}
