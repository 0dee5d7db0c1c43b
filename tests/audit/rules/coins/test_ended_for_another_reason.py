"""The rule ``coins/ended_for_another_reason``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.first("match_finished")["reason"] = "centre_empty"
    return log


def test_ended_for_another_reason() -> None:
    """An end because of missing coins is a finding, if there were coins."""
    assert fired(_changed) == {"coins/ended_for_another_reason"}
