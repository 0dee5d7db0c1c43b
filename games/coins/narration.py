"""Coins in sentences, one per event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from games.coins.rules import COINS
from games.narration import counted, leaders, listed
from games.table import WHITE_SPACE

PHRASES = {
    **dict.fromkeys("123", "takes up to {coins}"),
    **dict.fromkeys("ABC", "puts back up to {coins}"),
    **dict.fromkeys("XYZ", "removes up to {coins} from the game"),
    "N": "does nothing",
    "F": "flips up to {coins}",
    "U": "unflips up to {coins}",
    "R": "passes all piles to the previous player",
    "T": "passes all piles to the next player",
}
"""Words for each action (CN-4); it uses fewer coins if there are fewer, and no event says so."""

ONCE = "NFU"
"""The actions whose repetition a phrase does not say, or says with the number of coins."""

TIMES = {1: "", 2: " twice", 3: " three times"}


def narrate(
    event: Mapping[str, Any], players: Sequence[str], settings: Mapping[str, Any]
) -> str | None:
    """Return a sentence about one event of Coins, or None for one that all games have."""
    match event["type"]:
        case "laid_out":
            order = listed(players[seat] for seat in event["order"])
            coins = counted(event["centre"], "coin")
            return f"{coins} are in the centre, and the turn order is {order}."
        case "answered":
            actions = event.get("output", "").strip(WHITE_SPACE)
            return f"{players[event['seat']]} writes {actions}."
        case "acted":
            seat = event["seat"]
            points = _points(event["points"][seat])
            centre = f"{counted(event['centre'], 'coin')} in the centre"
            return f"{players[seat]} {_phrases(event['actions'])}: {points}, with {centre}."
        case "counted":
            most = _points(max(event["points"]))
            return f"All coins count again: {leaders(players, event['points'])} with {most}."
    return None


def _phrases(actions: str) -> str:
    """Return what a player does in its turn, equal actions that follow each other as one."""
    phrases = []
    for action, run in groupby(actions):
        times = len(list(run))
        coins = counted(COINS.get(action, times), "coin")
        phrase = PHRASES[action].format(coins=coins)
        phrases.append(phrase if action in ONCE else phrase + TIMES[times])
    return listed(phrases)


def _points(points: int) -> str:
    return counted(points, "point").replace("-", "−")
