"""The final table of Smallest Unique Number, as it was published before Koth."""

from __future__ import annotations

from fractions import Fraction

from games.standings import final_table
from schema.reader import Log


def of_tournament(log: Log) -> str:
    """A line an entrant, best first: ``Name: 0.3998 (796/1991)``, its wins ÷ games (SU-6)."""
    return "".join(
        f"{name}: {rate(standing['score'], standing['games'])} "
        f"({standing['score']}/{standing['games']})\n"
        for name, standing in final_table(log)
    )


def rate(wins: int, games: int) -> str:
    """``wins`` ÷ ``games`` to four digits, a half to the even one; 0.0000 without a game."""
    whole, rest = divmod(round(Fraction(10_000 * wins, max(1, games))), 10_000)
    return f"{whole}.{rest:04}"
