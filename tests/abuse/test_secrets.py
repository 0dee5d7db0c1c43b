"""Bots that look for secrets."""

from __future__ import annotations

from tests.abuse.playing import SCRIPTS, Bait, each_bot, is_contained


@each_bot("secrets")
def test_a_spy(name: str, level: str, verdict: str, bait: Bait) -> None:
    """The bot finds no secret."""
    is_contained(name, level, verdict, bait, *SCRIPTS)
