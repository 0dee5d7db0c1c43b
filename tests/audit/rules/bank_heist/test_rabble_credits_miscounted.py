"""The rule ``bank_heist/rabble_credits_miscounted``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist()
    log.event(type="game_finished")["rabble_credits"] += 1
    return log


def test_rabble_credits_miscounted() -> None:
    """Credits of the rabble that are one too many are found."""
    assert fired(_changed) == {"bank_heist/rabble_credits_miscounted"}
