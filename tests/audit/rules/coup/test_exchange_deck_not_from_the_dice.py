"""The rule ``coup/exchange_deck_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Ep\n")
    made = log.after(log.turn[2], "cards_exchanged")
    made["deck"] = made["deck"][::-1]
    return log


def test_exchange_deck_not_from_the_dice() -> None:
    """A deck that was turned round after an Exchange is found."""
    assert fired(_changed) == {"coup/exchange_deck_not_from_the_dice"}
