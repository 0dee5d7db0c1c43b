"""The rule ``bank_heist/rabble_credits_miscounted``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist()
    log.event(type="game_finished")["rabble_credits"] += 1
    return log


@doctored
def _untouched() -> Heist:
    log = heist(lambda game: game[0]["number"] == 0, type="bets_closed", rabble_bets="....")
    log.event(type="game_finished")["rabble_credits"] += 1
    return log


def test_rabble_credits_miscounted() -> None:
    """One credit too many of the rabble is found, before any of its members took part, too."""
    assert fired(_untouched) == {"bank_heist/rabble_credits_miscounted"}
    assert fired(_changed) == {"bank_heist/rabble_credits_miscounted"}
