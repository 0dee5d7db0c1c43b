"""The rule ``coup/stopped_bot_quoted``."""

from __future__ import annotations

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired


@doctored
def _changed() -> Doctored:
    log = failing(Fault("timeout"))
    log.first("fault")["appended"] = "F"
    return log


def test_stopped_bot_quoted() -> None:
    """A half-written answer of a bot that was too slow is found."""
    assert fired(_changed) == {"coup/stopped_bot_quoted"}
