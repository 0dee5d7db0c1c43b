"""Some bets, and all actions, of Bank Heist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.bank_heist.rules import ACTIONS
from games.table import Answer, Ask

SHARES = (0, 1, 5, 10, 25, 50, 100)
"""Bets, in percent of the credits."""

CREDITS = 8
"""The position of the credits among a bot's arguments (BH-30)."""


def alternatives(question: Ask, settings: Mapping[str, Any]) -> Sequence[Answer]:
    """BH-6: return bets of some shares of the credits. BH-8: return all actions."""
    if question.name == "action":
        return [Answer({"output": action}) for action in ACTIONS]
    credits = int(question.args[CREDITS])
    bets = dict.fromkeys(credits * share // 100 for share in SHARES)
    return [Answer({"output": str(bet).encode()}) for bet in bets]
