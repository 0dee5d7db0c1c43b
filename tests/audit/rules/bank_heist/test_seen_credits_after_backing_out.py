"""The rule ``bank_heist/seen_credits_after_backing_out``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"action": "back out"}))
    seat = log.seat(action="back out")
    log.give(seat, log.before[seat] + 1)
    return log


def test_seen_credits_after_backing_out() -> None:
    """A player that backed out and has more than before is found."""
    assert fired(_changed) == {"seen_credits_after_backing_out"}
