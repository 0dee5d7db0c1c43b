"""The rule ``bank_heist/illegal_bet_accepted``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="answered", output="5")
    log.event(type="answered", output="5")["output"] = "+5"
    return log


def test_illegal_bet_accepted() -> None:
    """A bet of +5 that was accepted is found."""
    assert fired(_changed) == {"bank_heist/bet_not_as_answered", "bank_heist/illegal_bet_accepted"}
