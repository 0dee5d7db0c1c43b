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


@doctored
def _doubled() -> Transcript:
    log = seen()
    log.events.insert(-1, log.table)
    return log


@doctored
def _without_table() -> Transcript:
    log = seen()
    tables = [event for event in log.events if event["type"] == "credits_seen"]
    log.drop(tables[-2])
    return log


@doctored
def _broken_off() -> Transcript:
    log = seen()
    log.drop(log.table)
    return log


def test_seen_games_out_of_order() -> None:
    """A game whose number was left out is found."""
    assert fired(_changed) == {"seen_games_out_of_order"}


def test_tables() -> None:
    """A second table of a game is found, and a game without one that is not the last."""
    assert fired(_doubled) == {"seen_games_out_of_order"}
    assert "seen_games_out_of_order" in fired(_without_table)
    assert "seen_games_out_of_order" not in fired(_broken_off)
