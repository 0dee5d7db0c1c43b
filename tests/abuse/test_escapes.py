"""Bots that try to leave their sandbox."""

from __future__ import annotations

from collections.abc import Sequence

from tests.abuse.parties import SCRIPTS, Bait, are_contained, each_party


@each_party("escapes")
def test_a_fugitive(names: Sequence[str], level: str, bait: Bait) -> None:
    """The bot reaches no file, process or server outside."""
    are_contained(names, level, bait, *SCRIPTS)
