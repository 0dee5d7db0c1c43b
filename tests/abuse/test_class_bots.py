"""Class bots that misbehave."""

from __future__ import annotations

from tests.abuse.playing import Bait, each_bot, is_contained


@each_bot("class_bots")
def test_a_class(name: str, level: str, verdict: str, bait: Bait) -> None:
    """The bot is disqualified or has no effect, and the others play on."""
    is_contained(name, level, verdict, bait, "smallest_unique")
