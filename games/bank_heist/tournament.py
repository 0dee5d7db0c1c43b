"""A series of Bank Heist, rules version ``bank_heist/1``: matches of the same players (BH-5)."""

from __future__ import annotations

from games.bank_heist.events import Settings
from games.standings import final_order
from games.table import Match, Schedule, TournamentRules, TournamentTable


def play(table: TournamentTable[Settings]) -> TournamentRules:
    """BH-5: play all matches, and rank the entrants by the sum of final credits."""
    entrants, matches = len(table.players), table.settings.matches
    table.planned = matches
    credits = [0] * entrants
    seats = tuple(range(entrants))
    played = yield Schedule([Match(f"1-{number:06}", seats) for number in range(matches)])
    for match, result in played:
        table.played(match, result, clause="BH-5")
        for entrant, score in zip(match.seats, result.scores, strict=True):
            credits[entrant] += score
    table.finish(final_order(credits, [matches] * entrants), clause="BH-5")
