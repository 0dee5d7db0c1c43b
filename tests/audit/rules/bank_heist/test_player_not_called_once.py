"""The rule ``bank_heist/player_not_called_once``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="bet", bet=0)
    bet = log.event(type="bet", bet=0)
    log.drop(log.above(bet))
    log.drop(bet)
    return log


@doctored
def _unrecorded() -> Heist:
    log = heist(lambda game: game[0]["number"] > 0, type="bet", bet=0)
    log.drop(log.event(type="bet", bet=0))
    return log


def test_player_not_called_once() -> None:
    """A player who was not asked for its bet is found, and one whose bet is not recorded."""
    assert fired(_changed) == {"bank_heist/player_not_called_once"}
    assert fired(_unrecorded) == {"bank_heist/player_not_called_once"}
