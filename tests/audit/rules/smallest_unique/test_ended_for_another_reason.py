"""The rule ``smallest_unique/ended_for_another_reason``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _played() -> Doctored:
    log = failed("select")
    log.first("match_finished")["reason"] = "played"
    return log


@doctored
def _won() -> Doctored:
    log = failed("construct")
    log.drop(log.first("fault"))
    log.first("match_finished")["winners"] = [0]
    return log


def test_ended_for_another_reason() -> None:
    """A void game that is recorded as played, or with a winner, is a finding."""
    assert fired(_won) == {"smallest_unique/ended_for_another_reason"}
    assert fired(_played) == {"smallest_unique/ended_for_another_reason"}
