"""The tournament of Coins, rules version ``coins/1``: everybody at one table (CN-10)."""

from __future__ import annotations

from games.coins.events import Settings
from games.standings import final_order
from games.table import Match, Schedule, TournamentRules, TournamentTable

BLOCK = 100
"""How many games are asked for at a time, so that the log grows with a long tournament."""


def play(table: TournamentTable[Settings]) -> TournamentRules:
    """All games, then the final table."""
    entrants, games = len(table.players), table.settings.games
    table.planned = games
    points = [0] * entrants
    for first in range(0, games, BLOCK):
        numbers = range(first, min(first + BLOCK, games))
        played = yield Schedule([Match(f"1-{n:06}", tuple(range(entrants))) for n in numbers])
        for match, result in played:
            table.played(match, result, clause="CN-10")
            for entrant, score in zip(match.seats, result.scores, strict=True):
                points[entrant] += score
    table.finish(final_order(points, [games] * entrants), clause="CN-10")
