"""The rule ``smallest_unique/replies_out_of_order``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("update")
    fault = log.first("fault")
    log.insert(fault, after=fault)
    return log


def test_replies_out_of_order() -> None:
    """A fault that is on record twice is found."""
    assert fired(_changed) == {"smallest_unique/replies_out_of_order"}
