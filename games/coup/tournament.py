"""The tournament of Coup, ``coup/1`` and ``coup/2``: a round robin (CP-19 to CP-21)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations

from games.coup.events import Settings, Settings1
from games.standings import final_order
from games.table import Match, Schedule, TournamentRules, TournamentTable


def play(table: TournamentTable[Settings1]) -> TournamentRules:
    """CP-19, CP-20: play all rounds, add up the points, and rank the entrants by them."""
    entrants, rounds = len(table.players), table.settings.rounds
    games_per_round = entrants * (entrants - 1)
    if table.pairings is not None:
        games_per_round = 2 * len(table.pairings)
    table.planned = rounds * games_per_round
    mirrored = isinstance(table.settings, Settings) and table.settings.mirrored == 1
    points = [0] * entrants
    games = [0] * entrants
    for number in range(rounds):
        played = yield Schedule(pairings(seatings(table), number * games_per_round, mirrored))
        for match, result in played:
            table.played(match, result, clause="CP-19")
            for seat, entrant in enumerate(match.seats):
                points[entrant] += result.scores[seat]
                games[entrant] += 1
    table.finish(final_order(points, games), clause="CP-20")


def seatings(table: TournamentTable[Settings1]) -> Iterable[tuple[int, int]]:
    """CP-19: return the seats of each match of one round, ascending.

    Those of all pairs are made one by one: a forged log may name very many entrants.
    """
    if table.pairings is None:
        return permutations(range(len(table.players)), 2)
    return sorted(seats for one, two in table.pairings for seats in ((one, two), (two, one)))


def pairings(
    seatings: Iterable[tuple[int, int]], first_number: int, mirrored: bool = False
) -> Iterator[Match]:
    """CP-19: yield the matches of one round: each pair twice, with both orders of the seats.

    CP-21: if ``mirrored``, the second match of a pair shares the dice of the first.
    """
    first: dict[tuple[int, ...], str] = {}
    for n, seats in enumerate(seatings, first_number):
        match = Match(f"1-{n:06}", seats, dice=first.pop(seats[::-1], None))
        if mirrored:
            first[seats] = match.id
        yield match
