"""The rule ``smallest_unique/legal_choice_called_illegal``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("select")
    log.first("fault")["output"] = "10"
    return log


def test_legal_choice_called_illegal() -> None:
    """A legal choice that was rejected is found."""
    assert fired(_changed) == {"smallest_unique/legal_choice_called_illegal"}
