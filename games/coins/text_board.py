"""Coins as text: the centre, and the ring of players with their piles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.text_board import LINES, grid, join, name_size, number, pad

REST = 20
"""Columns of an entry without the name, if the numbers are small."""


def draw(state: Mapping[str, Any], players: Sequence[str], width: int) -> list[str]:
    """Return the centre, then the players in turn order; an arrow marks the one that acts.

    The order of a ring of players begins with that one if there is no room for all.
    """
    order = state["order"]
    first = join(
        [
            f"round {state['round']:,}",
            f"{number(state['centre'])} in the centre",
            "▲ flipped ▽ unflipped = points",
        ]
    )
    size = name_size(players, REST, width, LINES - 1)
    entries = [_player(state, seat, pad(players[seat], size)) for seat in order]
    whole = grid(entries, width, len(entries))
    if len(whole) > LINES - 1:
        at = order.index(state["turn_of"])
        whole = grid([*entries[at:], *entries[:at]], width, LINES - 1)
    return [first, *whole]


def _player(state: Mapping[str, Any], seat: int, name: str) -> str:
    mark = "▸" if seat == state["turn_of"] else " "
    flipped, unflipped = number(state["flipped"][seat]), number(state["unflipped"][seat])
    pile = f"▲{flipped} ▽{unflipped}"
    return f"{mark} {name} {pile:<8} = {number(state['points'][seat])}"
