"""Bank Heist as text: the banks with the one that is robbed, the heist, and the players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.bank_heist.state import BANKS
from games.text_board import LINES, grid, join, name_size, number, pad

REST = 25
"""Columns of an entry without the name."""

MARKS = {
    "carry on": "stays",
    "back out": "out",
    "all in": "all in",
    "change jobs": "job",
    "acquire intel": "intel",
    "buy guard": "guard",
    "deposit": "deposits",
    "withdraw": "withdraw",
    "double cross": "crosses",
    "finger": "fingers",
}
"""A word for each action."""


def draw(state: Mapping[str, Any], players: Sequence[str], width: int) -> list[str]:
    """Return the heist, the banks, and each player: bet, action, success, credits.

    All bets of a game are for the same bank (BH-7). If there is no room for all players, those with
    most credits are shown.
    """
    table = state["players"]
    first = [_heist(state), _banks(state)]
    size = name_size(players, REST, width, LINES - len(first))
    entries = [_player(player, pad(players[player["seat"]], size)) for player in table]
    lines = grid(entries, width, len(entries))
    if len(first) + len(lines) > LINES:
        richest = sorted(table, key=lambda player: -player["credits"])
        entries = [entries[player["seat"]] for player in richest]
        lines = grid(entries, width, LINES - len(first))
    return [*first, *lines]


def _heist(state: Mapping[str, Any]) -> str:
    crossed = {None: "", True: "the cross works", False: "the cross fails"}
    verb = "backs out" if state["backed_out"] == 1 else "back out"
    return join(
        [
            f"game {state['game'] + 1:,} of {state['games']:,}, round {state['round']}",
            f"{state['heisters']:,} of {state['participants']:,} bet {number(state['total'])}",
            f"{state['backed_out']:,} {verb}" if state["backed_out"] else "",
            crossed[state["crossed"]],
        ]
    )


def _banks(state: Mapping[str, Any]) -> str:
    """Return the banks, the one that the bets so far rob with an arrow, and the rabble."""
    robbed = state["bank"] if state["heisters"] else None
    banks = [f"{'▸' if index == robbed else ' '}{bank.name}" for index, bank in enumerate(BANKS)]
    return join([" ".join(banks), f"{state['rabble']['drawn']:,} of the rabble"])


def _player(player: Mapping[str, Any], name: str) -> str:
    bet = number(player["bet"]) if player["bet"] else ""
    success = "✓" if player["succeeded"] else " "
    action = "exposed" if player["exposed"] else MARKS.get(player["action"], "")
    return f"{name} {bet:>5} {action:<8} {success} {number(player['credits']):>7}"
