"""The rule ``bank_heist/withdrawal_without_effect``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="withdraw", what="account")
    log.drop(log.event(why="withdraw", what="account"))
    return log


def test_withdrawal_without_effect() -> None:
    """An account that is left full after a withdrawal is found."""
    assert fired(_changed) == {"bank_heist/withdrawal_without_effect"}
