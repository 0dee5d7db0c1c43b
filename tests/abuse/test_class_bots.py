"""Class bots that misbehave."""

from __future__ import annotations

from collections.abc import Sequence

from tests.abuse.parties import Bait, are_contained, each_party


@each_party("class_bots")
def test_a_class(names: Sequence[str], level: str, bait: Bait) -> None:
    """The bot is disqualified or has no effect, and the others play on."""
    are_contained(names, level, bait, "smallest_unique")
