"""Bots that try to leave their sandbox."""

from __future__ import annotations

from tests.abuse.playing import SCRIPTS, Bait, each_bot, is_contained


@each_bot("escapes")
def test_a_fugitive(name: str, level: str, verdict: str, bait: Bait) -> None:
    """The bot reaches no file, process or server outside."""
    is_contained(name, level, verdict, bait, *SCRIPTS)
