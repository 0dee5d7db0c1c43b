"""The rule ``bank_heist/seen_heister_not_deciding_once``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"type": "acted"}))
    log.drop(log.event(type="acted"))
    return log


@doctored
def _without_bet() -> Transcript:
    log = seen(has({"type": "bet", "bet": 0}, {"type": "acted"}))
    acted = log.event(type="acted") | {"seat": log.seat(type="bet", bet=0), "action": "carry on"}
    log.events.insert(-2, acted)
    return log


def test_seen_heister_not_deciding_once() -> None:
    """A player that bet and did not decide is found, and one that decided without a bet."""
    assert fired(_changed) == {"seen_heister_not_deciding_once"}
    assert "seen_heister_not_deciding_once" in fired(_without_bet)
