"""The rule ``bank_heist/seen_credits_of_a_straight``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"type": "cross_judged", "succeeded": 1}, {"action": "carry on"}))
    log.give(log.seat(action="carry on"), 10**12)
    return log


def test_seen_credits_of_a_straight() -> None:
    """A player that was robbed, and yet won more than there was, is found."""
    assert fired(_changed) == {"seen_credits_of_a_straight"}
