"""The rule ``coup/exchange_deck_not_from_the_dice``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_exchange_deck_not_from_the_dice(tmp_path: Path) -> None:
    """A deck that was turned round after an Exchange is found."""
    log = turn("Ep\n")
    made = log.after(log.turn[2], "cards_exchanged")
    made["deck"] = made["deck"][::-1]
    assert fired(tmp_path, log) == {"coup/exchange_deck_not_from_the_dice"}
