"""The rule ``bank_heist/seen_games_out_of_order``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, seen


@doctored
def _changed() -> Transcript:
    log = seen()
    for event in log.events[-40:]:
        if event.get("number") == log.table["number"]:
            event["number"] += 1
    return log


def test_seen_games_out_of_order() -> None:
    """A game whose number was left out is found."""
    assert fired(_changed) == {"seen_games_out_of_order"}
