"""The rule ``coup/replacement_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn(
        "Sq\\*[_'<=0]\n",
        lambda log: (
            log.first("card_replaced") is log.after(log.turn[2], "card_replaced")
            and log.first("card_replaced")["deck"][0] != log.first("card_replaced")["drawn"]
        ),
    )
    drew = log.after(log.turn[2], "card_replaced")
    drew["drawn"], drew["deck"] = drew["deck"][0], drew["drawn"] + drew["deck"][1:]
    drew["hand"] = drew["hand"][:-1] + drew["drawn"]
    log.cut(drew)
    return log


def test_replacement_not_from_the_dice() -> None:
    """A card drawn from the second place of the deck is found."""
    assert fired(_changed) == {"coup/replacement_not_from_the_dice"}
