"""The rule ``bank_heist/games_not_all_played``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist()
    log.double(log.events[1])
    return log


@doctored
def _undrawn() -> Heist:
    log = heist()
    log.drop(log.events[1])
    return log


def test_games_not_all_played() -> None:
    """A second drawing of the number of games is found, and that there is none."""
    assert fired(_changed) == {"bank_heist/games_not_all_played"}
    assert fired(_undrawn) == {"bank_heist/games_not_all_played"}
