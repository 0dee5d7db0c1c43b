"""The tournament of Coins: all entrants in each match, game after game (CN-10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from games import driving
from games.coins.tournament import play
from games.table import Match, Played, Result, Schedule, TournamentTable
from schema import registry, seal
from schema.dice import Dice
from tests.factories import SEED, Events

COINS = registry.card("coins")
SEAL = seal.hex_digest(b"")


def result(*scores: int, faults: tuple[tuple[int, str], ...] = ()) -> Result:
    """A game that ended with these points."""
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    return Result("rounds_played", scores, winners, faults, SEAL)


class Held:
    """A tournament in which every game ends as ``ends`` says.

    ``matches`` are those asked for, ``progress`` how many were recorded when more were.
    """

    def __init__(self, entrants: int, ends: Callable[[Match], Result], **settings: int) -> None:
        self.matches: list[Match] = []
        self.events: Events = []
        self.clauses: list[str] = []
        self.progress: list[int] = []
        names = [f"bot{n}" for n in range(entrants)]
        model: Any = COINS.settings(settings)
        self.table = TournamentTable(names, model, Dice(SEED), self._record)
        driving.drive_rules(play(self.table), lambda schedule: self._play(schedule, ends))

    def _record(self, event: Any, clause: str) -> None:
        self.events.append(dict(event))
        self.clauses.append(clause)

    def _play(self, schedule: Schedule, ends: Callable[[Match], Result]) -> Played:
        assert not schedule.until_fault
        self.progress.append(len(self.events))
        played = [(match, ends(match)) for match in schedule.matches]
        self.matches += [match for match, _ in played]
        return played

    @property
    def standings(self) -> list[dict[str, int]]:
        """The final table."""
        assert self.events[-1]["type"] == "tournament_finished"
        standings: list[dict[str, int]] = self.events[-1]["standings"]
        return standings


def nothing(match: Match) -> Result:
    """A game in which nobody did anything."""
    return result(*(0 for _ in match.seats))


@given(st.integers(2, 60), st.integers(1, 250))
def test_everybody_plays_in_every_game_at_the_seat_of_its_number(entrants: int, games: int) -> None:
    """So many games, numbered in order, and all entrants in each in the order of entry."""
    held = Held(entrants, nothing, games=games)
    assert held.matches == [Match(f"1-{n:06}", tuple(range(entrants))) for n in range(games)]
    assert held.table.planned == games
    assert held.clauses == ["CN-10"] * (games + 1)


def test_a_tournament_has_100_games() -> None:
    """Unless the contest says otherwise."""
    assert len(Held(2, nothing).matches) == 100


def test_a_long_tournament_is_recorded_as_it_goes_on() -> None:
    """Not more than 100 games are asked for before what was played is in the log."""
    assert Held(2, nothing, games=250).progress == [0, 100, 200]


def test_every_match_is_recorded_in_order_with_how_it_ended() -> None:
    """``match_played`` has seats, reason, scores, winners, faults and seal."""
    faulty = result(4, -2, 4, faults=((1, "timeout"), (1, "illegal")))
    held = Held(3, lambda match: faulty, games=2)
    assert held.events == [
        *(
            {
                "type": "match_played",
                "match": f"1-00000{number}",
                "seats": [0, 1, 2],
                "reason": "rounds_played",
                "scores": [4, -2, 4],
                "winners": [0, 2],
                "faults": [{"seat": 1, "kind": "timeout"}, {"seat": 1, "kind": "illegal"}],
                "seal": SEAL,
            }
            for number in range(2)
        ),
        {
            "type": "tournament_finished",
            "standings": [
                {"rank": 1, "entrant": 0, "score": 8, "games": 2},
                {"rank": 1, "entrant": 2, "score": 8, "games": 2},
                {"rank": 3, "entrant": 1, "score": -4, "games": 2},
            ],
        },
    ]


@given(st.integers(2, 6), st.integers(1, 120), st.data())
def test_the_final_table_adds_up(entrants: int, games: int, data: st.DataObject) -> None:
    """Sums of points over all games, each entrant once, highest first; equal sums share a rank."""
    points = st.tuples(*[st.integers(-3, 3)] * entrants)
    few = data.draw(st.lists(points, min_size=1, max_size=5))

    def ends(match: Match) -> Result:
        return result(*few[int(match.id[2:]) % len(few)])

    held = Held(entrants, ends, games=games)
    sums = [sum(few[n % len(few)][entrant] for n in range(games)) for entrant in range(entrants)]
    expected = [
        {
            "rank": 1 + len([other for other in sums if other > sums[entrant]]),
            "entrant": entrant,
            "score": sums[entrant],
            "games": games,
        }
        for _, entrant in sorted((-sums[entrant], entrant) for entrant in range(entrants))
    ]
    assert held.standings == expected
