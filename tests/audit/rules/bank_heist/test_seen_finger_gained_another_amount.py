"""The rule ``bank_heist/seen_finger_gained_another_amount``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen
from tests.factories import Events


def _fingered(game: Events) -> bool:
    wanted = [{"action": "carry on"}, {"action": "finger"}]
    robbed = has({"type": "cross_judged", "succeeded": 1, "crossers": 1}, *wanted)(game)
    return robbed and game[0]["participants"] > len(game[-1]["credits"])


@doctored
def _changed() -> Transcript:
    log = seen(_fingered)
    seat = log.seat(action="finger")
    log.give(seat, log.before[seat] + 5_000)
    return log


def test_seen_finger_gained_another_amount() -> None:
    """A fingerer that gained what no crosser had to pay is found."""
    assert fired(_changed) == {
        "seen_credits_not_possible_together",
        "seen_finger_gained_another_amount",
    }
