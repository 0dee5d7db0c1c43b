"""The legal answers to a question of Coup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from games.table import Answer, Ask


def alternatives(question: Ask, settings: Mapping[str, Any]) -> Sequence[Answer]:
    """CP-5: return one answer per action. CP-15: in an Exchange, one per choice of cards."""
    if question.name != "exchange":
        return [Answer({"appended": action.encode()}) for action in question.legal]
    cards = question.args[2]  # CP-16: after the coins of both
    kept = dict.fromkeys(combinations(sorted(cards), len(cards) - 2))
    return [
        Answer({"output": "".join(choice).encode(), "appended": action.encode()})
        for choice in kept
        for action in question.legal
    ]
