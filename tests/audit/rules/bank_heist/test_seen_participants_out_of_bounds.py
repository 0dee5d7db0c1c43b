"""The rule ``bank_heist/seen_participants_out_of_bounds``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, seen


@doctored
def _changed() -> Transcript:
    log = seen()
    log.event(type="game_started")["participants"] = 1
    return log


@doctored
def _too_many() -> Transcript:
    log = seen()
    most = len(log.events[0]["players"]) + log.events[0]["settings"]["rabble"]
    log.event(type="game_started")["participants"] = most + 1
    return log


def test_seen_participants_out_of_bounds() -> None:
    """A game with fewer participants than players is found, and one with too large a rabble."""
    assert fired(_changed) == {"seen_participants_out_of_bounds"}
    assert fired(_too_many) == {"seen_participants_out_of_bounds"}
