"""The rule ``coup/claimed_card_not_shown``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Tq\\$[_'<=0]\n", lambda log: log.hand(log.turn[2], log.turn[2]["seat"]) != "$$")
    log.turn[2]["appended"] = "0\n"
    log.cut(log.turn[2])
    return log


def test_claimed_card_not_shown() -> None:
    """A Duke that was held and not shown is found."""
    assert fired(_changed) == {"coup/claimed_card_not_shown", "coup/given_up_card_kept"}
