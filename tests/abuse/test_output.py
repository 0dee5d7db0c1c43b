"""Bots that write too much, or control characters."""

from __future__ import annotations

from collections.abc import Sequence

from tests.abuse.parties import SCRIPTS, Bait, are_contained, each_party


@each_party("output")
def test_a_loudmouth(names: Sequence[str], level: str, bait: Bait) -> None:
    """Output is recorded as it is, and cut if it is too long, without other effects."""
    are_contained(names, level, bait, *SCRIPTS)
