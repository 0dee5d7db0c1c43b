"""The rule ``coup/card_given_up_not_held``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Tq[_'<]\n", lambda log: "!" not in log.hand(log.turn[2], log.turn[2]["seat"]))
    log.turn[2]["appended"] = "=\n"
    return log


def test_card_given_up_not_held() -> None:
    """A given-up card that was not in hand is found."""
    assert fired(_changed) == {"coup/card_given_up_not_held", "coup/another_card_lost"}
