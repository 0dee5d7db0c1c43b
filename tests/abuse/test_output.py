"""Bots that write too much, or control characters."""

from __future__ import annotations

from tests.abuse.playing import SCRIPTS, Bait, each_bot, is_contained


@each_bot("output")
def test_a_loudmouth(name: str, level: str, verdict: str, bait: Bait) -> None:
    """Output is recorded as it is, and cut if it is too long, without other effects."""
    is_contained(name, level, verdict, bait, *SCRIPTS)
