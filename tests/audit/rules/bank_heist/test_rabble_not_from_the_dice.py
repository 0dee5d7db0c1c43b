"""The rule ``bank_heist/rabble_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, cut, doctored, fired, has, heist, pool


@doctored
def _changed() -> Heist:
    log = heist(has("rabble_bets", "."))
    closed = log.event(type="bets_closed")
    closed["rabble_bets"] = closed["rabble_bets"].replace(".", "0", 1)
    return log


@doctored
def _by_size() -> Heist:
    def has_undrawn(match: Heist) -> bool:
        undrawn = "." in match.event(type="bets_closed")["rabble_bets"]
        return undrawn and match.events[0]["settings"]["rabble_draw"] == "size"

    match = next(filter(has_undrawn, pool()))
    log = cut(match, match.place(match.event(type="game_finished")))
    closed = log.event(type="bets_closed")
    closed["rabble_bets"] = closed["rabble_bets"].replace(".", "0", 1)
    return log


@doctored
def _one_more() -> Heist:
    log = heist(type="bets_closed")
    log.event(type="bets_closed")["rabble_bets"] += "."
    return log


def test_rabble_not_from_the_dice() -> None:
    """A member of the rabble that takes part undrawn is found."""
    assert fired(_changed) == {
        "bank_heist/participants_miscounted",
        "bank_heist/rabble_credits_miscounted",
        "bank_heist/rabble_not_from_the_dice",
    }


def test_a_rabble_drawn_by_its_size() -> None:
    """A member that takes part undrawn is found, too, where the dice give a number of members."""
    assert "bank_heist/rabble_not_from_the_dice" in fired(_by_size)


def test_a_member_too_many() -> None:
    """A record of more members than the rabble has is found, though the last was not drawn."""
    assert fired(_one_more) == {"bank_heist/rabble_not_from_the_dice"}
