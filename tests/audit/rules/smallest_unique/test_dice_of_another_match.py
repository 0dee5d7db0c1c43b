"""The rule ``smallest_unique/dice_of_another_match``."""

from __future__ import annotations

from tests.audit.contest import Contest, with_dice_of_another
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    return with_dice_of_another(tournament())


def test_dice_of_another_match() -> None:
    """Dice that the tournament's log takes from another match are found, also by the seed."""
    assert fired(_changed) == {
        "smallest_unique/dice_of_another_match",
        "log/seed_not_the_tournaments",
    }
