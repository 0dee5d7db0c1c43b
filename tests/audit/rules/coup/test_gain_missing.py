"""The rule ``coup/gain_missing``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Fdq[_'<=0]\n")
    log.drop(log.after(log.turn[-1], "coins_moved"))
    return log


def test_gain_missing() -> None:
    """A Foreign Aid without coins, its block having been found false, is found."""
    assert fired(_changed) == {"coup/gain_missing"}
