"""The rabble: who of it joins a game, and what it does there (BH-3, BH-28, BH-29)."""

from __future__ import annotations

from collections.abc import Callable

from games.bank_heist.events import Action, Settings
from games.bank_heist.state import BANKS, UNIT, Participant, State
from schema.dice import SPAN, Dice

AMOUNTS = (80_085, 6_969, 420, 69)
"""What a member bets, if it can afford it (BH-28)."""

SYMBOLS = {0: "0", 69: "1", 420: "2", 6_969: "3", 80_085: "4"}
"""How the log writes what a member bet."""


def draw(dice: Dice, settings: Settings, game: int, rabble: list[Participant]) -> list[Participant]:
    """BH-3: who joins this game: each with probability ½, or as many as are drawn first."""
    label = f"game/{game}/rabble"
    if settings.rabble_draw == "subset":
        words = dice.bulk(label, len(rabble))
        return [one for one, word in zip(rabble, words, strict=True) if word < SPAN // 2]
    size = dice.below(f"{label}/size", len(rabble) + 1)
    numbers = [str(one.number) for one in rabble]
    return [rabble[int(number)] for number in dice.sample(label, numbers, size)]


def bet(word: int, bank: int, credits: int) -> int:
    """BH-28: with the bank's probability, the largest amount that it can afford."""
    if word * UNIT < BANKS[bank].probability * SPAN:
        for amount in AMOUNTS:
            if amount <= credits:
                return amount
    return 0


def action(word: int, decided: int, backed_out: int) -> Action:
    """BH-29: backs out the likelier, the more have done so."""
    if decided == 0:
        return "back out" if word * 20 < SPAN else "carry on"
    leaves = word * 20 * decided < SPAN * (decided + 10 * backed_out)
    return "back out" if leaves else "carry on"


def written(state: State, symbol: Callable[[Participant], str]) -> str:
    """The whole rabble as a string: the ``symbol`` of each that was drawn, ``.`` for the others."""
    symbols = ["."] * len(state.rabble)
    for member in state.game.rabble:
        symbols[member.number] = symbol(member)
    return "".join(symbols)
