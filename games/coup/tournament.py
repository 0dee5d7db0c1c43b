"""The tournament of Coup, rules version ``coup/1``: everybody meets everybody (CP-19, CP-20)."""

from __future__ import annotations

from itertools import permutations

from games.table import Match, TournamentRules, TournamentTable
from schema.coup import Settings
from schema.events import Standing


def play(table: TournamentTable[Settings]) -> TournamentRules:
    """All matches in one go, then the final table."""
    schedule = pairings(len(table.players), table.settings.rounds)
    results = yield schedule
    points = [0] * len(table.players)
    games = [0] * len(table.players)
    for match, result in zip(schedule, results, strict=True):
        table.played(match, result, clause="CP-19")
        for seat, entrant in enumerate(match.seats):
            points[entrant] += result.scores[seat]
            games[entrant] += 1
    table.finish(final_order(points, games), clause="CP-20")


def pairings(entrants: int, rounds: int) -> list[Match]:
    """CP-19: in each round every entrant meets every other as first and as second player."""
    seatings = [pair for _ in range(rounds) for pair in permutations(range(entrants), 2)]
    return [Match(f"1-{number:06}", seats) for number, seats in enumerate(seatings)]


def final_order(points: list[int], games: list[int]) -> list[Standing]:
    """CP-20: most points first; ties share the rank."""
    order = sorted(range(len(points)), key=lambda entrant: -points[entrant])
    return [
        {
            "rank": 1 + sum(other > points[entrant] for other in points),
            "entrant": entrant,
            "score": points[entrant],
            "games": games[entrant],
        }
        for entrant in order
    ]
