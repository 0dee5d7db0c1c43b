"""The tournament of Coup, rules version ``coup/1``: a round robin (CP-19, CP-20)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, permutations

from games.coup.events import Settings
from games.standings import final_order
from games.table import Match, Schedule, TournamentRules, TournamentTable


def play(table: TournamentTable[Settings]) -> TournamentRules:
    """CP-19, CP-20: play all rounds, add up the points, and rank the entrants by them."""
    entrants, rounds = len(table.players), table.settings.rounds
    table.planned = rounds * entrants * (entrants - 1)
    points = [0] * entrants
    games = [0] * entrants
    for number in range(rounds):
        played = yield Schedule(pairings(entrants, number))
        for match, result in played:
            table.played(match, result, clause="CP-19")
            for seat, entrant in enumerate(match.seats):
                points[entrant] += result.scores[seat]
                games[entrant] += 1
    table.finish(final_order(points, games), clause="CP-20")


def pairings(entrants: int, number: int) -> Iterator[Match]:
    """CP-19: return the matches of one round: each pair twice, with both orders of the seats."""
    seatings = permutations(range(entrants), 2)
    numbers = count(number * entrants * (entrants - 1))
    return (Match(f"1-{n:06}", seats) for n, seats in zip(numbers, seatings, strict=False))
