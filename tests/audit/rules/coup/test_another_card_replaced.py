"""The rule ``coup/another_card_replaced``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_another_card_replaced(tmp_path: Path) -> None:
    """A replaced card that is not the one shown is found."""
    log = turn(
        "Tq\\$[_'<=0]\n", lambda log: set(log.hand(log.turn[2], log.turn[2]["seat"])) == {"$", "!"}
    )
    log.after(log.turn[2], "card_replaced")["card"] = "!"
    log.cut(log.after(log.turn[2], "card_replaced"))
    assert fired(tmp_path, log) == {
        "coup/another_card_replaced",
        "coup/replacement_not_from_the_dice",
    }
