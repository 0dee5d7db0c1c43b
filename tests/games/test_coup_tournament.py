"""The tournament of Coup: its schedule (CP-19) and its final order (CP-20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sized
from itertools import permutations
from pathlib import Path
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from games.coup.tournament import pairings, play, seatings
from games.standings import final_order
from games.table import Match, Result, TournamentTable
from schema import registry, seal
from schema.dice import Dice
from schema.reader import parse
from tests.factories import BOT, SEED, Events, drive_rules, sealed

COUP = registry.card("coup")


def result(*scores: int, faults: tuple[tuple[int, str], ...] = ()) -> Result:
    """A match that ended with these scores."""
    winners = tuple(seat for seat, score in enumerate(scores) if score)
    reason = "forfeit" if faults else "eliminated" if winners else "drawn"
    return Result(reason, scores, winners, faults, seal.hex_digest(repr(scores).encode()))


def held(
    entrants: int, rounds: int, ends: Callable[[Match], Result]
) -> tuple[list[Match], Events, list[str]]:
    """A tournament in which every match ends as ``ends`` says: schedule, events, their clauses."""
    events: Events = []
    clauses: list[str] = []

    def record(event: Any, clause: str) -> None:
        events.append(dict(event))
        clauses.append(clause)

    settings: Any = COUP.settings({"rounds": rounds})
    names = [f"bot{n}" for n in range(entrants)]
    table: TournamentTable[Any] = TournamentTable(names, settings, Dice(SEED), record)
    schedule = drive_rules(play(table), ends)
    assert table.planned == len(schedule)
    return schedule, events, clauses


def schedule_of(entrants: int, rounds: int) -> list[Match]:
    """All matches of a tournament, in order."""
    return held(entrants, rounds, lambda match: result(0, 0))[0]


@given(st.integers(0, 7), st.integers(1, 4))
def test_everybody_meets_everybody_as_first_and_as_second(entrants: int, rounds: int) -> None:
    """In every round each ordered pair meets once, and matches are numbered in their order."""
    schedule = schedule_of(entrants, rounds)
    a_round = entrants * max(0, entrants - 1)
    assert [match.id for match in schedule] == [f"1-{n:06}" for n in range(rounds * a_round)]
    for number in range(rounds):
        seats = [match.seats for match in schedule[number * a_round : (number + 1) * a_round]]
        assert Counter(seats) == Counter(permutations(range(entrants), 2))


def test_pairs_of_many_entrants_are_made_one_by_one() -> None:
    """The first match of a forged tournament of ten thousand bots takes no list of all pairs."""
    names, settings = [f"bot{n}" for n in range(10_000)], cast(Any, COUP.settings({}))
    table: TournamentTable[Any] = TournamentTable(names, settings, Dice(SEED), lambda *_: None)
    assert not isinstance(seatings(table), Sized)
    assert next(iter(next(play(table)).matches)) == Match("1-000000", (0, 1))


def test_thirteen_bots_play_1560_games() -> None:
    """With 13 bots there are 156 games a round, and 1,560 in ten rounds, 240 for each bot."""
    assert len(list(pairings([*permutations(range(13), 2)], 0))) == 156
    schedule = schedule_of(13, 10)
    assert len(schedule) == 1560
    games = Counter(seat for match in schedule for seat in match.seats)
    assert games == dict.fromkeys(range(13), 240)


def test_ten_rounds_are_played_unless_the_contest_says_otherwise() -> None:
    """The game's own settings hold ten rounds."""
    assert COUP.settings({}).model_dump()["rounds"] == 10


def test_every_match_is_recorded_in_order_with_how_it_ended() -> None:
    """``match_played`` has seats, reason, scores, winners, faults and seal."""
    faulty = result(0, 1, faults=((0, "timeout"),))

    def ends(match: Match) -> Result:
        return faulty if match.seats == (1, 0) else result(1, 0)

    _, events, clauses = held(2, 1, ends)
    assert clauses == ["CP-19", "CP-19", "CP-20"]
    assert events[1] == {
        "type": "match_played",
        "match": "1-000001",
        "seats": [1, 0],
        "reason": "forfeit",
        "scores": [0, 1],
        "winners": [1],
        "faults": [{"seat": 0, "kind": "timeout"}],
        "seal": faulty.seal,
    }
    assert events[2] == {
        "type": "tournament_finished",
        "standings": [
            {"rank": 1, "entrant": 0, "score": 2, "games": 2},
            {"rank": 2, "entrant": 1, "score": 0, "games": 2},
        ],
    }


OUTCOMES = st.sampled_from([(1, 0), (0, 1), (0, 0)])


@given(st.integers(2, 6), st.integers(1, 2), st.data())
def test_the_final_table_adds_up(entrants: int, rounds: int, data: st.DataObject) -> None:
    """Points are those of the matches, each bot once, most first, and equal points share a rank."""
    schedule, events, _ = held(entrants, rounds, lambda match: result(*data.draw(OUTCOMES)))
    points: Counter[int] = Counter()
    for match, event in zip(schedule, events, strict=False):
        assert (event["match"], tuple(event["seats"])) == (match.id, match.seats)
        for seat, entrant in enumerate(match.seats):
            points[entrant] += event["scores"][seat]
    table = events[-1]["standings"]
    assert sorted(line["entrant"] for line in table) == list(range(entrants))
    assert [line["score"] for line in table] == sorted(
        (points[n] for n in range(entrants)), reverse=True
    )
    for line in table:
        better = [other for other in table if other["score"] > line["score"]]
        assert line["score"] == points[line["entrant"]]
        assert line["rank"] == 1 + len(better)
        assert line["games"] == 2 * rounds * (entrants - 1)


def test_equal_points_share_the_rank_in_order_of_entry() -> None:
    """After two that share a rank the next rank is skipped; within it the earlier entrant leads."""
    order = final_order([3, 7, 3, 7, 1], [8] * 5)
    assert [(line["rank"], line["entrant"]) for line in order] == [
        (1, 1),
        (1, 3),
        (3, 0),
        (3, 2),
        (5, 4),
    ]


def test_a_lone_bot_and_none_have_a_table_too() -> None:
    """Without a match the table has every entrant, with nothing."""
    assert held(0, 10, lambda match: result(0, 0))[1] == [
        {"type": "tournament_finished", "standings": []}
    ]
    [finished] = held(1, 10, lambda match: result(0, 0))[1]
    assert finished["standings"] == [{"rank": 1, "entrant": 0, "score": 0, "games": 0}]


def test_the_log_of_a_tournament_is_strictly_readable() -> None:
    """The events of the rules, with start and seal, are a valid log of a tournament."""
    _, events, _ = held(3, 2, lambda match: result(0, 1))
    start = {
        "type": "tournament_started",
        "format": "koth-log/1",
        "game": "coup",
        "rules": COUP.rules,
        "tournament": "spring",
        "entrants": [{"entrant": n, "name": f"bot{n}", "bot": BOT} for n in range(3)],
        "settings": COUP.settings({"rounds": 2}).model_dump(),
        "seed_commitment": seal.commitment(SEED),
    }
    log = parse(sealed([start, *events]), Path("tournament.jsonl"))
    assert log.kind == "tournament"
    assert list(log.events[1:-1]) == events
