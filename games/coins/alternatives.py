"""Some of the 2,744 legal answers to a question of Coins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.coins.rules import ACTIONS
from games.table import Answer, Ask

MIXED = ("1FN", "2FF", "3FF", "FFR", "FFT")
"""Take coins and flip them, or flip coins and pass the piles on."""


def alternatives(question: Ask, settings: Mapping[str, Any]) -> Sequence[Answer]:
    """CN-7: return each action once and three times, and some that are often combined."""
    once = [f"{action}NN" for action in ACTIONS]
    thrice = [3 * action for action in ACTIONS]
    return [Answer({"output": text.encode()}) for text in dict.fromkeys([*once, *thrice, *MIXED])]
