"""The rule ``coup/card_shown_not_held``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Tq[_'<=]\n")
    log.turn[2]["appended"] = "$"
    log.cut(log.turn[2])
    return log


def test_card_shown_not_held() -> None:
    """A Duke that was shown and not held is found."""
    assert fired(_changed) == {"coup/card_shown_not_held", "coup/shown_card_not_replaced"}
