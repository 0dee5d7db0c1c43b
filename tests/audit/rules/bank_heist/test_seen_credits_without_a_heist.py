"""The rule ``bank_heist/seen_credits_without_a_heist``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"type": "bet", "bet": 0}))
    log.give(log.seat(type="bet", bet=0), 10**9)
    return log


def test_seen_credits_without_a_heist() -> None:
    """A player that did not bet and gained more than a salary is found."""
    assert fired(_changed) == {"seen_credits_without_a_heist"}
