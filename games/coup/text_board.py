"""Coup as text: both hands, the coins, and the claims of the turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from rich.cells import cell_len

from games.coup.cards import NAMES
from games.coup.narration import call
from games.narration import counted
from games.text_board import LINES, join, pad

TURN_LINES = 4
"""Maximum lines for the claims of a turn."""


def draw(state: Mapping[str, Any], players: Sequence[str], width: int) -> list[str]:
    """Return the hands by seat, the turn, and the deck; square brackets hide a card (CP-1)."""
    size = min(max(map(cell_len, players)), max(8, width // 4))
    hands = _hands(state, [pad(name, size) for name in players], width)
    offered = [NAMES[card] for card in state["offered"]]
    deck = join(
        [
            f"deck: {counted(len(state['deck']), 'card')}",
            f"drawn: [{'] ['.join(offered)}]" if offered else "",
            "[ ] hidden from the other",
        ]
    )
    turn = _turn(state, players, width, min(TURN_LINES, LINES - len(hands) - 1))
    return [*hands, *turn, deck]


def _hands(state: Mapping[str, Any], names: Sequence[str], width: int) -> list[str]:
    """Return both hands, the cards below the coins if there is no room beside them."""
    hands = [_hand(state, seat, name) for seat, name in enumerate(names)]
    if all(cell_len("  ".join(hand)) <= width for hand in hands):
        return ["  ".join(hand) for hand in hands]
    return [line for player, cards in hands for line in (player, f"    {cards}")]


def _hand(state: Mapping[str, Any], seat: int, name: str) -> tuple[str, str]:
    """Return one player with its coins, and its cards; an arrow marks the player that is called."""
    cards = [f"[{NAMES[card]}]" for card in state["hands"][seat]]
    cards += ["lost"] * (2 - len(cards))
    coins = counted(state["coins"][seat], "coin")
    mark = "▸" if state["caller"] == seat else " "
    return f"{mark} {name}  {coins:>8}", "  ".join(cards)


def _turn(state: Mapping[str, Any], players: Sequence[str], width: int, most: int) -> list[str]:
    """Return the claims of the turn in sentences; between two turns those of the last one.

    If ``most`` lines have no room for all, the first ones are left out.
    """
    line, owner, title = state["line"], state["turn_of"], "this turn:"
    if not line:
        line, owner, title = _last_turn(state), 1 - owner, "last turn:"
    if not line:
        return ["the first turn"]
    said = [call(action, (owner + at) % 2, players) for at, action in enumerate(_actions(line))]
    sentences = [sentence for sentence in said if sentence is not None]
    lines = wrap(" ".join([title, *sentences]), max(width, 20))
    while len(lines) > most and len(sentences) > 1:
        del sentences[0]
        lines = wrap(" ".join([title, "…", *sentences]), max(width, 20))
    return lines[:most]


def _last_turn(state: Mapping[str, Any]) -> str:
    """Return the symbols of the last finished turn, "" before the second turn."""
    return str(state["history"].rstrip("\n").rpartition("\n")[2])


def _actions(line: str) -> list[str]:
    """Return the actions of a turn; an Income ends its turn (CP-5)."""
    return ["I\n"] if line == "I" else list(line)
