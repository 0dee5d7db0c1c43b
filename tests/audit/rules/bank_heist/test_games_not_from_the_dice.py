"""The rule ``bank_heist/games_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist()
    for setting in ("games_min", "games_max"):
        log.events[0]["settings"][setting] += 1
    return log


def test_games_not_from_the_dice() -> None:
    """A number of games that the dice do not give is found."""
    assert fired(_changed) == {"bank_heist/games_not_from_the_dice"}
