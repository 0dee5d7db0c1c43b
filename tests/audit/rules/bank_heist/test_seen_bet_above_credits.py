"""The rule ``bank_heist/seen_bet_above_credits``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    all_in = has({"why": "bet", "what": "credits", "after": 0})
    log = seen(lambda game: game[0]["number"] > 1 and all_in(game))
    bet = log.event(type="bet", seat=log.seat(why="bet", after=0))
    bet["bet"] = log.before[bet["seat"]] + 1
    return log


@doctored
def _first() -> Transcript:
    log = seen()
    next(event for event in log.events if event["type"] == "bet")["bet"] = 241
    return log


def test_seen_bet_above_credits() -> None:
    """A bet of more than all is found, and in the first game one of more than 240."""
    assert fired(_changed) == {"seen_bet_above_credits"}
    assert "seen_bet_above_credits" in fired(_first)
