"""The rule ``coup/card_lost_for_another_cause``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("C[_'<=0]\n")
    log.after(log.turn[1], "card_lost")["cause"] = "false_claim"
    return log


def test_card_lost_for_another_cause() -> None:
    """A card lost to a Coup that the log says was a false claim is found."""
    assert fired(_changed) == {"coup/card_lost_for_another_cause"}
