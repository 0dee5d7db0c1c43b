"""The rule ``bank_heist/another_bank_robbed``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist()
    log.event(type="bets_closed")["bank"] += 1
    return log


def test_another_bank_robbed() -> None:
    """A bank whose threshold was not reached is found."""
    assert fired(_changed) == {
        "bank_heist/another_bank_robbed",
        "bank_heist/guard_without_effect",
        "bank_heist/moved_something_else",
        "bank_heist/winnings_not_from_the_odds",
    }
