"""The rule ``bank_heist/seen_withdrawal_above_the_savings``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen
from tests.factories import Events


def _withdrawal(game: Events) -> bool:
    crossed = any(event["type"] == "cross_judged" for event in game)
    return not crossed and has({"action": "withdraw"})(game)


@doctored
def _changed() -> Transcript:
    log = seen(_withdrawal)
    log.give(log.seat(action="withdraw"), 10**12)
    return log


def test_seen_withdrawal_above_the_savings() -> None:
    """Credits that no account can have held are found, and also that nobody can have won them."""
    assert fired(_changed) == {
        "seen_withdrawal_above_the_savings",
        "seen_credits_without_a_cross",
    }
