"""Bots that are too slow."""

from __future__ import annotations

from tests.abuse.playing import SCRIPTS, Bait, each_bot, is_contained


@each_bot("time")
def test_a_dawdler(name: str, level: str, verdict: str, bait: Bait) -> None:
    """The bot and all its processes are stopped at the time limit."""
    is_contained(name, level, verdict, bait, *SCRIPTS)
