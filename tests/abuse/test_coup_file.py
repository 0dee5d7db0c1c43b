"""Bots that do something to the history file besides appending to it."""

from __future__ import annotations

from tests.abuse.playing import Bait, each_bot, is_contained


@each_bot("coup_file")
def test_a_forger(name: str, level: str, verdict: str, bait: Bait) -> None:
    """It forfeits, or has done nothing; the referee reads no other file and waits for nobody."""
    is_contained(name, level, verdict, bait, "coup")
