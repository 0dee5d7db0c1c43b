"""Bots that take their time."""

from __future__ import annotations

from tests.abuse.playing import SCRIPTS, Bait, each_bot, is_contained


@each_bot("time")
def test_a_dawdler(name: str, level: str, verdict: str, bait: Bait) -> None:
    """It is stopped when its time is up, with all that it has started."""
    is_contained(name, level, verdict, bait, *SCRIPTS)
