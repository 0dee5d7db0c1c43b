"""Smallest Unique Number in sentences, one per event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.narration import listed


def narrate(
    event: Mapping[str, Any], players: Sequence[str], settings: Mapping[str, Any]
) -> str | None:
    """Return a sentence about a round, or about the last announcement to a seat.

    It is None for an event that all games have.
    """
    if event["type"] == "announcement":
        return "The last choices are announced, and nothing more is asked."
    if event["type"] != "round":
        return None
    choices = event["choices"]
    winner = event.get("winner")
    if winner is None:
        return f"Round {event['round']:,}: no number is unique, and nobody scores."
    number = choices[winner]
    smaller = sorted({choice for choice in choices if choice < number})
    why = f"; {listed(map(str, smaller))} {'is' if len(smaller) == 1 else 'are'} not unique"
    return (
        f"Round {event['round']:,}: {players[winner]} scores with {number}{why if smaller else ''}."
    )
