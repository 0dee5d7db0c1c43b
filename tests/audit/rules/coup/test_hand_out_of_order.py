"""The rule ``coup/hand_out_of_order``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Ep\n", lambda log: len(set(log.turn[2]["output"])) == 2)
    made = log.after(log.turn[2], "cards_exchanged")
    made["hand"] = made["hand"][::-1]
    return log


def test_hand_out_of_order() -> None:
    """A hand in another order than chosen is found."""
    assert fired(_changed) == {"coup/hand_out_of_order"}
