"""The rule ``bank_heist/seen_credits_not_possible_together``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen
from tests.factories import Events


def _unexposed(game: Events) -> bool:
    if any(event.get("why") in ("exposed", "bribe") for event in game):
        return False
    crossers = [e["seat"] for e in game if e.get("action") == "double cross"]
    return len(crossers) == 1 and has(
        {"type": "cross_judged"},
        {"action": "finger"},
        {"type": "bet", "bet": 1, "seat": crossers[0]},
    )(game)


@doctored
def _changed() -> Transcript:
    log = seen(_unexposed)
    seat = log.seat(action="double cross")
    left = log.before[seat] - log.event(type="bet", seat=seat)["bet"]
    log.give(seat, left - left // 4)
    return log


def test_seen_credits_not_possible_together() -> None:
    """A crosser that pays a quarter to nobody is found."""
    assert fired(_changed) == {"seen_credits_not_possible_together"}
