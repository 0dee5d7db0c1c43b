"""The rule ``coup/claimed_card_not_shown``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn, with_player
from tests.factories import scripted


@doctored
def _changed() -> Doctored:
    log = turn("Tq\\$[_'<=0]\n", lambda log: log.hand(log.turn[2], log.turn[2]["seat"]) != "$$")
    log.turn[2]["appended"] = "0\n"
    log.cut(log.turn[2])
    return log


@doctored
def _forfeit() -> Doctored:
    return with_player(scripted("T", "q", "0\n"))


def test_claimed_card_not_shown() -> None:
    """A Duke that was held and not shown is found."""
    assert fired(_changed) == {"coup/claimed_card_not_shown", "coup/given_up_card_kept"}


def test_a_forfeit_instead_of_a_proof() -> None:
    """A bot that forfeits because it gave up the Duke instead of showing it is not found."""
    assert fired(_forfeit) == set()
