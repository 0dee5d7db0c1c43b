"""Bots that leave something for their next decision or match."""

from __future__ import annotations

from collections.abc import Sequence

from tests.abuse.parties import SCRIPTS, Bait, are_contained, each_party


@each_party("collusion")
def test_a_hoarder(names: Sequence[str], level: str, bait: Bait) -> None:
    """The bot finds nothing of the things that it left."""
    are_contained(names, level, bait, *SCRIPTS)
