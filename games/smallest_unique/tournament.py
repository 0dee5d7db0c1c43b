"""The tournament of Smallest Unique Number, rules version ``smallest_unique/1``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count

from games.smallest_unique.events import Settings
from games.standings import ranks
from games.table import Match, Played, Schedule, TournamentRules, TournamentTable
from schema.events import Standing

Table = TournamentTable[Settings]


def play(table: Table) -> TournamentRules:
    """SU-6, SU-7, SU-9: play attempts until one counts, or too few bots are left for a game."""
    entrants = list(range(len(table.players)))
    voided = 0
    for attempt in count(1):
        if len(entrants) < table.settings.seats:
            return table.finish([], "SU-1")
        table.planned = voided + table.settings.games_per_entrant * len(entrants)
        played = yield Schedule(draw(table, attempt, entrants), until_fault=True)
        for match, result in played:
            table.played(match, result, "SU-6")
        match, result = played[-1]
        if result.faults:
            for seat, kind in dict(result.faults).items():
                table.disqualified(match, seat, kind, "SU-9")
                entrants.remove(match.seats[seat])
            table.voided(attempt, len(played), "disqualified", "SU-9")
        elif fewest_games(entrants, played) < table.settings.min_games_per_entrant:
            table.voided(attempt, len(played), "too_few_games", "SU-7")
        else:
            return table.finish(final_order(entrants, played), "SU-6")
        voided += len(played)


def draw(table: Table, attempt: int, entrants: Sequence[int]) -> Iterator[Match]:
    """SU-1, SU-6: draw the seats of each game of an attempt. SU-11: no entrant has two of them."""
    names = [str(entrant) for entrant in entrants]
    for number in range(table.settings.games_per_entrant * len(entrants)):
        id = f"{attempt}-{number:06}"
        seats = table.dice.sample(f"match/{id}/seats", names, table.settings.seats)
        yield Match(id, tuple(map(int, seats)))


def fewest_games(entrants: Sequence[int], played: Played) -> int:
    """SU-7: return the number of games of the entrant that played least."""
    games = Counter(entrant for match, _ in played for entrant in match.seats)
    return min(games[entrant] for entrant in entrants)


def final_order(entrants: Sequence[int], played: Played) -> list[Standing]:
    """SU-6: return the final table by wins ÷ games, highest first; equal rates share the rank."""
    games: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    for match, result in played:
        games.update(match.seats)
        wins.update(match.seats[seat] for seat in result.winners)
    rates = {entrant: Fraction(wins[entrant], max(1, games[entrant])) for entrant in entrants}
    rank_of = ranks(rates.values())
    return [
        {
            "rank": rank_of[rates[entrant]],
            "entrant": entrant,
            "score": wins[entrant],
            "games": games[entrant],
        }
        for entrant in sorted(entrants, key=lambda entrant: -rates[entrant])
    ]
