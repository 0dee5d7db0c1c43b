"""The final table of Coins, as it was published before Koth."""

from __future__ import annotations

from games.standings import final_table
from schema.reader import Log


def of_tournament(log: Log) -> str:
    """A line an entrant, best first: ``1. Name: 1017790`` (CN-10)."""
    return "".join(
        f"{standing['rank']}. {name}: {standing['score']}\n" for name, standing in final_table(log)
    )
