"""A series of Bank Heist: all entrants in every match, and the final order (BH-5)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bank_heist.tournament import play
from games.table import Match, Result, TournamentTable
from schema import seal
from schema.dice import Dice
from tests.factories import SEED, Events, drive_rules
from tests.games.heist_matches import CARD

SCORES = st.lists(st.lists(st.integers(0, 10**15), min_size=4, max_size=4), min_size=1, max_size=5)


def result(scores: list[int], faults: tuple[tuple[int, str], ...] = ()) -> Result:
    """A match that ended with these credits."""
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    return Result("played", tuple(scores), winners, faults, seal.hex_digest(repr(scores).encode()))


def held(results: list[Result]) -> tuple[list[Match], Events, list[str]]:
    """A series in which the matches end so: the matches asked for, events, their clauses."""
    events: Events = []
    clauses: list[str] = []

    def record(event: Any, clause: str) -> None:
        events.append(dict(event))
        clauses.append(clause)

    settings: Any = CARD.settings({"matches": len(results)})
    names = [f"bot{n}" for n in range(len(results[0].scores))]
    table = TournamentTable(names, settings, Dice(SEED), record)
    queue = list(results)
    matches: list[Match] = drive_rules(play(table), lambda match: queue.pop(0))
    assert table.planned == len(results)
    return matches, events, clauses


def test_a_contest_has_one_match_unless_it_says_otherwise() -> None:
    """The game's own settings hold one match of 1,000 to 1,100 games with 500 of the rabble."""
    assert CARD.settings({}).model_dump() == {
        **{"games_min": 1_000, "games_max": 1_100, "rabble": 500, "rabble_draw": "subset"},
        **{"time_limit_s": 10, "matches": 1},
    }


@pytest.mark.parametrize(("entrants", "matches"), [(1, 1), (2, 3), (500, 2)])
def test_all_entrants_play_in_every_match(entrants: int, matches: int) -> None:
    """Seats are the entrants in order, and matches are numbered in theirs."""
    asked, _, _ = held([result([0] * entrants)] * matches)
    assert [match.id for match in asked] == [f"1-{n:06}" for n in range(matches)]
    assert {match.seats for match in asked} == {tuple(range(entrants))}


def test_every_match_is_recorded_with_how_it_ended() -> None:
    """Scores, winners, faults and seal; then the final table, in which equal sums share a rank."""
    results = [result([5, 7, 7], ((2, "timeout"),)), result([3, 1, 1])]
    _, events, clauses = held(results)
    assert clauses == ["BH-5"] * 3
    assert events[0] == {
        **{"type": "match_played", "match": "1-000000", "seats": [0, 1, 2], "reason": "played"},
        **{"scores": [5, 7, 7], "winners": [1, 2], "faults": [{"seat": 2, "kind": "timeout"}]},
        "seal": results[0].seal,
    }
    assert events[2] == {
        "type": "tournament_finished",
        "standings": [{"rank": 1, "entrant": n, "score": 8, "games": 2} for n in range(3)],
    }


@given(SCORES)
def test_the_final_table_adds_up(scores: list[list[int]]) -> None:
    """Sums of final credits, each entrant once, most first, and equal sums share the rank."""
    _, events, _ = held([result(one) for one in scores])
    standings = events[-1]["standings"]
    sums = [sum(column) for column in zip(*scores, strict=True)]
    assert sorted(line["entrant"] for line in standings) == [0, 1, 2, 3]
    assert [line["score"] for line in standings] == sorted(sums, reverse=True)
    for line in standings:
        assert line["score"] == sums[line["entrant"]]
        assert line["rank"] == 1 + sum(other > line["score"] for other in sums)
        assert line["games"] == len(scores)
