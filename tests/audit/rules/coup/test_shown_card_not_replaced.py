"""The rule ``coup/shown_card_not_replaced``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Tq\\$[_'<=0]\n")
    log.drop(log.after(log.turn[2], "card_replaced"))
    log.cut(log.turn[2])
    return log


def test_shown_card_not_replaced() -> None:
    """A Duke that was shown and stayed is found."""
    assert fired(_changed) == {"coup/shown_card_not_replaced"}
