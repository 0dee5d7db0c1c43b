"""Bots that attack the history file, instead of appending to it."""

from __future__ import annotations

from tests.abuse.playing import Bait, each_bot, is_contained


@each_bot("coup_file")
def test_a_forger(name: str, level: str, verdict: str, bait: Bait) -> None:
    """The bot forfeits or has no effect; the referee reads no other file, and never blocks."""
    is_contained(name, level, verdict, bait, "coup")
