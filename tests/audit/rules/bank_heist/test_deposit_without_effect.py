"""The rule ``bank_heist/deposit_without_effect``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="deposit", what="account")
    log.event(why="deposit", what="account")["after"] += 1
    return log


@doctored
def _missing() -> Heist:
    log = heist(why="deposit", what="account")
    log.drop(log.event(why="deposit", what="account"))
    return log


def test_deposit_without_effect() -> None:
    """A deposit of a credit more than was won is found."""
    assert fired(_changed) == {"bank_heist/deposit_without_effect"}


def test_deposit_not_made() -> None:
    """A deposit that the account never got is found."""
    assert "bank_heist/deposit_without_effect" in fired(_missing)
