"""The rule ``bank_heist/seen_credits_of_a_crosser``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"succeeded": 1, "crossers": 1}, {"why": "exposed", "what": "credits"}))
    seat = log.seat(action="double cross")
    log.give(seat, log.before[seat] * 5 // 7)
    return log


def test_seen_credits_of_a_crosser() -> None:
    """An exposed crosser that pays another part than a quarter is found."""
    assert fired(_changed) == {"seen_credits_of_a_crosser"}
