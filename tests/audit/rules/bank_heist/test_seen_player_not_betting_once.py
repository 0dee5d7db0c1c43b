"""The rule ``bank_heist/seen_player_not_betting_once``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"type": "bet", "bet": 0}))
    log.drop(log.event(type="bet", bet=0))
    return log


def test_seen_player_not_betting_once() -> None:
    """A player without a bet is found."""
    assert fired(_changed) == {"seen_player_not_betting_once"}
