"""The rule ``smallest_unique/ended_for_another_reason``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("select")
    log.first("match_finished")["reason"] = "played"
    return log


def test_ended_for_another_reason() -> None:
    """A void game that is recorded as played is a finding."""
    assert fired(_changed) == {"smallest_unique/ended_for_another_reason"}
