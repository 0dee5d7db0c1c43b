"""The rule ``bank_heist/bet_not_as_answered``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="answered", output="5")
    log.event(type="answered", output="5")["output"] = "4"
    return log


def test_bet_not_as_answered() -> None:
    """A bet of one credit more than was answered is found."""
    assert fired(_changed) == {"bank_heist/bet_not_as_answered"}
