"""The rule ``coup/cards_not_dealt_once``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n")
    log.insert(log.first("dealt"), after=log.first("dealt"))
    return log


def test_cards_not_dealt_once() -> None:
    """A second deal is found."""
    assert fired(_changed) == {"coup/cards_not_dealt_once"}
