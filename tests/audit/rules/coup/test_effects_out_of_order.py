"""The rule ``coup/effects_out_of_order``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("C[_'<=0]\n")
    paid = log.after(log.turn[1], "coins_moved")
    log.drop(paid)
    log.insert(paid, after=log.after(log.turn[1], "card_lost"))
    return log


@doctored
def _offered_too_early() -> Doctored:
    log = turn("Eq~[_'<=0]\n")
    lost = log.after(log.turn[-2], "card_lost")
    log.drop(lost)
    log.insert(lost, after=log.after(log.turn[-2], "cards_offered"))
    return log


def test_effects_out_of_order() -> None:
    """A card lost before the Coup that took it was paid is found."""
    assert fired(_changed) == {"coup/effects_out_of_order"}


def test_cards_offered_too_early() -> None:
    """Cards that are offered for an Exchange before the challenger loses its card are found."""
    assert fired(_offered_too_early) == {"coup/effects_out_of_order"}
