"""The rule ``bank_heist/interest_not_paid``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="interest")
    log.event(why="interest")["after"] += 1
    return log


@doctored
def _missing() -> Heist:
    log = heist(why="interest")
    log.drop(log.event(why="interest"))
    return log


def test_interest_not_paid() -> None:
    """A credit too much of interest is found."""
    assert fired(_changed) == {"bank_heist/interest_not_paid"}


def test_interest_left_out() -> None:
    """An account without its interest is found."""
    assert "bank_heist/interest_not_paid" in fired(_missing)
