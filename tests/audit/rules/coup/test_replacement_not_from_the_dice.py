"""The rule ``coup/replacement_not_from_the_dice``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_replacement_not_from_the_dice(tmp_path: Path) -> None:
    """A card drawn from the second place of the deck is found."""
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
    assert fired(tmp_path, log) == {"coup/replacement_not_from_the_dice"}
