"""The rule ``coup/deal_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n", lambda log: log.first("dealt")["deck"][0] != log.first("dealt")["deck"][1])
    dealt = log.first("dealt")
    dealt["deck"] = dealt["deck"][1] + dealt["deck"][0] + dealt["deck"][2:]
    return log


def test_deal_not_from_the_dice() -> None:
    """Two cards of the deck that changed places are found."""
    assert fired(_changed) == {"coup/deal_not_from_the_dice"}
