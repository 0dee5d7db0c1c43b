"""Bots that say what they should not."""

from __future__ import annotations

from tests.abuse.playing import SCRIPTS, Bait, each_bot, is_contained


@each_bot("output")
def test_a_loudmouth(name: str, level: str, verdict: str, bait: Bait) -> None:
    """What it says is kept as it is, cut where it is too long, and nothing else becomes of it."""
    is_contained(name, level, verdict, bait, *SCRIPTS)
