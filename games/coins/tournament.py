"""The tournament of Coins, rules version ``coins/1``: all entrants play each game (CN-10)."""

from __future__ import annotations

from games.coins.events import Settings
from games.standings import final_order
from games.table import Match, Schedule, TournamentRules, TournamentTable

BLOCK = 100
"""Games per schedule, so that the log of a long tournament grows while it is played."""


def play(table: TournamentTable[Settings]) -> TournamentRules:
    """CN-10: play all games, add up the points, and rank the entrants by them."""
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
