"""Bots that leave something for their next decision, or their next match."""

from __future__ import annotations

from tests.abuse.playing import SCRIPTS, Bait, each_bot, is_contained


@each_bot("collusion")
def test_a_hoarder(name: str, level: str, verdict: str, bait: Bait) -> None:
    """It finds nothing of what it left."""
    is_contained(name, level, verdict, bait, *SCRIPTS)
