"""The rule ``bank_heist/seen_credits_after_a_failed_cross``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"type": "cross_judged", "succeeded": 0}))
    log.give(log.seat(action="double cross"), 10**12)
    return log


@doctored
def _straight() -> Transcript:
    failed = {"type": "cross_judged", "succeeded": 0}
    log = seen(has(failed, {"type": "acted", "action": "carry on"}))
    log.give(log.seat(action="carry on"), 10**12)
    return log


def test_seen_credits_after_a_failed_cross() -> None:
    """A crosser that kept its gains when the cross failed is found, and too rich a straight."""
    assert fired(_changed) == {"seen_credits_after_a_failed_cross"}
    assert fired(_straight) == {"seen_credits_after_a_failed_cross"}
