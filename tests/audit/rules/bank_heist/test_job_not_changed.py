"""The rule ``bank_heist/job_not_changed``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="change_jobs")
    log.drop(log.event(why="change_jobs"))
    return log


def test_job_not_changed() -> None:
    """A player who changed jobs and kept its own is found."""
    assert fired(_changed) == {"bank_heist/job_not_changed", "bank_heist/paycheck_not_due"}
