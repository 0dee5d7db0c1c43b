"""The final table of Smallest Unique Number in the form used before Koth."""

from __future__ import annotations

from games.standings import final_table
from schema.reader import Log


def of_tournament(log: Log) -> str:
    """Return one line per entrant, best first: ``Name: 0.3998 (796/1991)``, wins ÷ games (SU-6)."""
    return "".join(
        f"{name}: {rate(standing['score'], standing['games'])} "
        f"({standing['score']}/{standing['games']})\n"
        for name, standing in final_table(log)
    )


def rate(wins: int, games: int) -> str:
    """Return ``wins`` ÷ ``games`` as a 64-bit float rounded to four digits; 0.0000 without games.

    1 ÷ 160 gives 0.0063, since its float is slightly above 0.00625.
    """
    return f"{wins / max(1, games):.4f}"
