"""The rule ``bank_heist/seen_credits_after_all_in``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"why": "all_in"}))
    seat = log.seat(why="all_in")
    log.give(seat, (log.before[seat] + 240) * 11 // 10)
    return log


def test_seen_credits_after_all_in() -> None:
    """A stake that is won without coming back itself is found."""
    assert fired(_changed) == {"seen_credits_after_all_in"}
