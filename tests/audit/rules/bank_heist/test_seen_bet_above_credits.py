"""The rule ``bank_heist/seen_bet_above_credits``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"why": "bet", "what": "credits", "after": 0}))
    bet = log.event(type="bet", seat=log.seat(why="bet", after=0))
    bet["bet"] = log.before[bet["seat"]] + 1
    return log


def test_seen_bet_above_credits() -> None:
    """A bet of more than all is found."""
    assert fired(_changed) == {"seen_bet_above_credits"}
