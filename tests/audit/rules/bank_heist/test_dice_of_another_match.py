"""The rule ``bank_heist/dice_of_another_match``."""

from __future__ import annotations

from tests.audit.bank_heists import doctored, fired, series
from tests.audit.contest import Contest, with_dice_of_another


@doctored
def _changed() -> Contest:
    return with_dice_of_another(series())


def test_dice_of_another_match() -> None:
    """Dice that the tournament's log takes from another match are found, also by the seed."""
    assert fired(_changed) == {
        "bank_heist/dice_of_another_match",
        "log/seed_not_the_tournaments",
    }
