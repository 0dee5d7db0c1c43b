"""Bots that look for secrets."""

from __future__ import annotations

from collections.abc import Sequence

from tests.abuse.parties import SCRIPTS, Bait, are_contained, each_party


@each_party("secrets")
def test_a_spy(names: Sequence[str], level: str, bait: Bait) -> None:
    """The bot finds no secret."""
    are_contained(names, level, bait, *SCRIPTS)
