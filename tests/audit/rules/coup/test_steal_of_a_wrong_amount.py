"""The rule ``coup/steal_of_a_wrong_amount``."""

from __future__ import annotations

from functools import partial

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Sp\n", lambda log: log.coins(log.turn[-1])[log.turn[1]["seat"]] > 2)
    moved = log.after(log.turn[-1], "coins_moved")
    thief = log.turn[0]["seat"]
    for field in ("change", "coins"):
        moved[field][thief] += 1
        moved[field][1 - thief] -= 1
    return log


def _from_one_coin(thief: int, stolen: int) -> Doctored:
    log = turn(
        "Sp\n",
        lambda log: log.turn[0]["seat"] == thief and log.coins(log.turn[-1])[1 - thief] == 1,
    )
    moved = log.after(log.turn[-1], "coins_moved")
    moved["change"] = [stolen, -stolen] if thief == 0 else [-stolen, stolen]
    return log


SOUND = [doctored(partial(_from_one_coin, thief, 1)) for thief in range(2)]
TOO_MANY = [doctored(partial(_from_one_coin, thief, 2)) for thief in range(2)]


def test_steal_of_a_wrong_amount() -> None:
    """A Steal of 3 coins is found."""
    assert fired(_changed) == {"coup/steal_of_a_wrong_amount"}


def test_a_steal_from_a_player_with_one_coin() -> None:
    """Both seats steal 1 coin from a player with 1; 2 coins are found."""
    assert all(fired(steal) == set() for steal in SOUND)
    assert all("coup/steal_of_a_wrong_amount" in fired(steal) for steal in TOO_MANY)
