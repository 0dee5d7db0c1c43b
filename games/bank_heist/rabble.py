"""The rabble: which members join a game, and how they decide (BH-3, BH-28, BH-29)."""

from __future__ import annotations

from games.bank_heist.events import Action, Settings
from games.bank_heist.state import BANKS, UNIT, Participant, Player, State
from schema.dice import Dice, threshold

AMOUNTS = (80_085, 6_969, 420, 69)
"""The bets of a member, largest first (BH-28)."""

LIMITS = tuple(threshold(bank.probability, UNIT) for bank in BANKS)
"""The words of a member below which it bets, by bank (BH-28)."""

SYMBOLS = {0: "0", 69: "1", 420: "2", 6_969: "3", 80_085: "4"}
"""The symbol of each bet in the log."""


def draw(dice: Dice, settings: Settings, game: int, rabble: list[Participant]) -> list[Participant]:
    """BH-3: draw the members that join: each with probability ½, or first their number."""
    label = f"game/{game}/rabble"
    if settings.rabble_draw == "subset":
        words, limit = dice.bulk(label, len(rabble)), threshold(1, 2)
        return [member for member, word in zip(rabble, words, strict=True) if word < limit]
    size = dice.below(f"{label}/size", len(rabble) + 1)
    numbers = [str(member.number) for member in rabble]
    return [rabble[int(number)] for number in dice.sample(label, numbers, size)]


def bet(word: int, bank: int, credits: int) -> int:
    """BH-28: bet the largest affordable amount with the probability of the bank, else 0."""
    if word < LIMITS[bank]:
        for amount in AMOUNTS:
            if amount <= credits:
                return amount
    return 0


def action(word: int, decided: int, backed_out: int) -> Action:
    """BH-29: back out with 0.05 + 0.5 × (backed out ÷ decided), else carry on."""
    a, b = (decided + 10 * backed_out, 20 * decided) if decided else (1, 20)
    return "back out" if word < threshold(a, b) else "carry on"


def bets(state: State) -> str:
    """Return one character per member: its bet if it was drawn, else ``.``."""
    characters = ["."] * len(state.rabble)
    for member in state.game.rabble:
        characters[member.number] = SYMBOLS[member.bet]
    return "".join(characters)


def fates(state: State) -> str:
    """Return one character per member: its fate if it is a heister, else ``.``."""
    characters = ["."] * len(state.rabble)
    for heister in state.game.second:
        if not isinstance(heister, Player):
            characters[heister.number] = heister.fate
    return "".join(characters)
