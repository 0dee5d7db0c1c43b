"""Bots that attack the history file, instead of appending to it."""

from __future__ import annotations

from collections.abc import Sequence

from tests.abuse.parties import Bait, are_contained, each_party


@each_party("coup_file")
def test_a_forger(names: Sequence[str], level: str, bait: Bait) -> None:
    """The bot forfeits or has no effect; the referee reads no other file, and never blocks."""
    are_contained(names, level, bait, "coup")
