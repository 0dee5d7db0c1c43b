"""Bots that leave something for their next decision or match."""

from __future__ import annotations

from tests.abuse.playing import SCRIPTS, Bait, each_bot, is_contained


@each_bot("collusion")
def test_a_hoarder(name: str, level: str, verdict: str, bait: Bait) -> None:
    """The bot finds nothing of the things that it left."""
    is_contained(name, level, verdict, bait, *SCRIPTS)
