"""The rule ``coup/reply_out_of_place``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("A[_'<=0]\n")
    log.turn[1]["appended"] = "p"
    log.cut(log.turn[1])
    return log


def test_reply_out_of_place() -> None:
    """A pass to an Assassination is found."""
    assert fired(_changed) == {"coup/reply_out_of_place"}
