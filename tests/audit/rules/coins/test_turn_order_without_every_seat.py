"""The rule ``coins/turn_order_without_every_seat``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_turn_order_without_every_seat(tmp_path: Path) -> None:
    """A turn order that has a seat twice is found."""
    log = still()
    log.first("laid_out")["order"] = [0, 0]
    assert fired(tmp_path, log) == {
        "coins/acted_out_of_turn",
        "coins/turn_order_not_from_the_dice",
        "coins/turn_order_without_every_seat",
    }
