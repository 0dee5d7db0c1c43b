"""The rule ``bank_heist/bets_miscounted``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist()
    log.event(type="bets_closed")["total"] += 1
    return log


def test_bets_miscounted() -> None:
    """A sum of bets that is one too high is found."""
    assert fired(_changed) == {"bank_heist/bets_miscounted"}
