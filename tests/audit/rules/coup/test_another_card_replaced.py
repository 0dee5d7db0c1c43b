"""The rule ``coup/another_card_replaced``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn(
        "Tq\\$[_'<=0]\n", lambda log: set(log.hand(log.turn[2], log.turn[2]["seat"])) == {"$", "!"}
    )
    log.after(log.turn[2], "card_replaced")["card"] = "!"
    log.cut(log.after(log.turn[2], "card_replaced"))
    return log


def test_another_card_replaced() -> None:
    """A replaced card that is not the one shown is found."""
    assert fired(_changed) == {
        "coup/another_card_replaced",
        "coup/replacement_not_from_the_dice",
    }
