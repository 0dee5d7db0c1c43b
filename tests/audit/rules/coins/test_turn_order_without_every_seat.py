"""The rule ``coins/turn_order_without_every_seat``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.first("laid_out")["order"] = [0, 0]
    return log


def test_turn_order_without_every_seat() -> None:
    """A turn order that has a seat twice is found."""
    assert fired(_changed) == {
        "coins/acted_out_of_turn",
        "coins/turn_order_not_from_the_dice",
        "coins/turn_order_without_every_seat",
    }
