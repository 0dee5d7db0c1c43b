"""The rule ``bank_heist/seen_credits_without_a_cross``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen
from tests.factories import Events


def _quiet(game: Events) -> bool:
    crossed = any(event["type"] == "cross_judged" for event in game)
    return not crossed and has({"action": "carry on"})(game)


@doctored
def _changed() -> Transcript:
    log = seen(_quiet)
    log.give(log.seat(action="carry on"), 10**12)
    return log


def test_seen_credits_without_a_cross() -> None:
    """Credits that nobody can have won are found where nobody crossed."""
    assert fired(_changed) == {"seen_credits_without_a_cross"}
