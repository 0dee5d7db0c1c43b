"""The rule ``bank_heist/all_in_roll_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fare, fared, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(fared("all in", "s"))
    fare(log, "all in", "s", "f")
    return log


@doctored
def _lucky() -> Heist:
    log = heist(fared("all in", "f"))
    fare(log, "all in", "f", "s")
    return log


def test_all_in_roll_not_from_the_dice() -> None:
    """An all-in that failed or succeeded although the dice do not give it is a finding."""
    rules = {"bank_heist/all_in_not_settled", "bank_heist/all_in_roll_not_from_the_dice"}
    assert fired(_changed) == rules
    assert fired(_lucky) == rules
