"""The rule ``coup/gain_missing``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


def _without_gain(line: str) -> Doctored:
    log = turn(line)
    log.drop(log.after(log.turn[-1], "coins_moved"))
    return log


@doctored
def _foreign_aid() -> Doctored:
    return _without_gain("Fdq[_'<=0]\n")


@doctored
def _tax() -> Doctored:
    return _without_gain("Tp\n")


@doctored
def _steal() -> Doctored:
    return _without_gain("Sp\n")


def test_gain_missing() -> None:
    """A Foreign Aid after a false block, a Tax or a Steal without coins is found."""
    assert fired(_foreign_aid) == {"coup/gain_missing"}
    assert fired(_tax) == {"coup/gain_missing"}
    assert fired(_steal) == {"coup/gain_missing"}
