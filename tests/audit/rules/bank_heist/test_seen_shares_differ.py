"""The rule ``bank_heist/seen_shares_differ``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen
from tests.factories import Events


def _two_robbed(game: Events) -> bool:
    wanted = [{"action": "buy guard"}, {"action": "carry on"}, {"action": "finger"}]
    robbed = has({"type": "cross_judged", "succeeded": 1}, *wanted)(game)
    return robbed and game[0]["participants"] > len(game[-1]["credits"])


@doctored
def _changed() -> Transcript:
    log = seen(_two_robbed)
    log.give(log.seat(action="buy guard"), log.before[log.seat(action="buy guard")] + 5_000)
    return log


def test_seen_shares_differ() -> None:
    """One of two that were robbed receives a share, and the other none: that is found."""
    assert fired(_changed) == {"seen_shares_differ"}
