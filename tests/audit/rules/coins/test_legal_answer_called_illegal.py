"""The rule ``coins/legal_answer_called_illegal``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.first("fault")["output"] = "\t\n NNN\r\f\v"
    return log


def test_legal_answer_called_illegal() -> None:
    """A legal answer, white space around it, that was rejected is found."""
    assert fired(_changed) == {"coins/legal_answer_called_illegal"}
