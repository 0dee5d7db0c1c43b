"""Bots that are too slow."""

from __future__ import annotations

from collections.abc import Sequence

from tests.abuse.parties import SCRIPTS, Bait, are_contained, each_party


@each_party("time")
def test_a_dawdler(names: Sequence[str], level: str, bait: Bait) -> None:
    """The bot and all its processes are stopped at the time limit."""
    are_contained(names, level, bait, *SCRIPTS)
