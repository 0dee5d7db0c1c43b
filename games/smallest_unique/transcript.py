"""The final table of Smallest Unique Number, as it was published before Koth."""

from __future__ import annotations

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
    """``wins`` ÷ ``games`` as the controller printed it: a 64-bit float to four digits.

    So 1 ÷ 160 is 0.0063: the float is a little above 0.00625. Without a game it is 0.0000.
    """
    return f"{wins / max(1, games):.4f}"
