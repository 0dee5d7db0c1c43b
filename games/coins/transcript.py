"""The final table of Coins in the form used before Koth."""

from __future__ import annotations

from games.standings import final_table
from schema.reader import Log


def of_tournament(log: Log) -> str:
    """Return one line per entrant, best first: ``1. Name: 1017790`` (CN-10)."""
    return "".join(
        f"{standing['rank']}. {name}: {standing['score']}\n" for name, standing in final_table(log)
    )
