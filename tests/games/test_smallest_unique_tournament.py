"""The tournament of Smallest Unique Number: draw, attempts and final order (SU-1, SU-6 to SU-11).

Results are made up; nothing is played.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, count, islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.smallest_unique.tournament import final_order, play
from games.table import Match, Played, Result, Schedule, TournamentTable
from schema.dice import Dice, Draw
from schema.reader import parse
from tests.factories import SEED, Events, sealed
from tests.games.unique_games import (
    CARD,
    Ends,
    Held,
    match_played,
    random_tournament,
    result,
    seated,
)
from tests.replay.log_factory import NOWHERE, hex_seed


def first_wins(match: Match) -> Result:
    """The first seat wins every game."""
    return result(len(match.seats))


def failing(faults: dict[str, Sequence[tuple[int, str]]], otherwise: Ends = first_wins) -> Ends:
    """In some matches, by id, some seats fail; the others end otherwise."""

    def ends(match: Match) -> Result:
        if match.id in faults:
            return result(len(match.seats), (), faults[match.id])
        return otherwise(match)

    return ends


def attempts(events: Events) -> list[list[str]]:
    """The types of the events by attempt; each ends with the event that decides it."""
    found: list[list[str]] = [[]]
    for event in events:
        found[-1].append(event["type"])
        if event["type"] == "voided":
            found.append([])
    return found


# --- The draw (SU-1, SU-6, SU-11) ----------------------------------------------------------------


@given(st.integers(2, 7), st.integers(0, 8), st.integers(1, 4), st.integers(0, 2**64))
def test_the_draw_follows_its_dice(seats: int, more: int, games: int, number: int) -> None:
    """The seats of a match, recomputed by hand, are the head of a shuffle of the entrants."""
    seed, entrants = hex_seed(number), seats + more
    held = Held(
        entrants,
        first_wins,
        seed,
        seats=seats,
        games_per_entrant=games,
        min_games_per_entrant=0,
    )
    assert held.schedule == [
        Match(f"1-{n:06}", seated(f"1-{n:06}", range(entrants), seats, seed))
        for n in range(games * entrants)
    ]
    assert held.labels == [f"match/{match.id}/seats" for match in held.schedule]


def test_a_draw_by_hand() -> None:
    """The seats follow from seed, label and entrants by a computation in a shell.

    ``for n in 0 1 2; do printf '%s' "$SEED:match/1-000000/seats:$n" | sha256sum; done``
    prints hashes that begin with 6633, 03e2 and 68e9.
    """
    held = Held(3, first_wins, seats=2, games_per_entrant=1, min_games_per_entrant=0)
    assert held.schedule[0] == Match("1-000000", (1, 0))


@pytest.mark.parametrize(("entrants", "seats"), [(10, 10), (12, 10), (5, 2), (48, 10)])
def test_an_entrant_has_one_seat_a_game(entrants: int, seats: int) -> None:
    """Nobody meets itself (SU-11), and every seat is taken."""
    held = Held(entrants, first_wins, seats=seats, games_per_entrant=5, min_games_per_entrant=0)
    for match in held.schedule:
        assert len(match.seats) == len(set(match.seats)) == seats
        assert set(match.seats) <= set(range(entrants))


def test_48_entrants_play_9600_games() -> None:
    """By the game's own settings 48 entrants play 9,600 games of ten (SU-6)."""
    held = Held(48, first_wins)
    assert [match.id for match in held.schedule] == [f"1-{n:06}" for n in range(9_600)]
    assert sum(line["games"] for line in held.standings) == 96_000
    assert min(line["games"] for line in held.standings) >= 100


def test_the_draw_is_uniform() -> None:
    """Each entrant, in each seat, and each pair meets about as often as chance has it.

    Nothing is farther off than five standard deviations; this is one seed, so nothing varies.
    """
    games, entrants, seats = 2_400, 12, 4
    held = Held(entrants, first_wins, seats=seats, games_per_entrant=games // entrants)
    tables = [match.seats for match in held.schedule]
    assert len(tables) == games
    placed = Counter((one, place) for table in tables for place, one in enumerate(table))
    pairs = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    for counts, cells in ((placed, entrants * seats), (pairs, entrants * (entrants - 1) // 2)):
        assert len(counts) == cells
        chance = Fraction(sum(counts.values()), cells * games)
        deviation = float(games * chance * (1 - chance)) ** 0.5
        assert max(abs(found - games * chance) for found in counts.values()) < 5 * deviation


def test_the_seed_decides_the_draw() -> None:
    """Another seed draws another tournament; the same seed the same one."""
    drawn = [
        Held(8, first_wins, seed, seats=3, games_per_entrant=2, min_games_per_entrant=0).schedule
        for seed in (SEED, SEED, hex_seed(1))
    ]
    assert drawn[0] == drawn[1] != drawn[2]


# --- The final order (SU-6) ----------------------------------------------------------------------


def table_of(rates: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """(rank, entrant) of entrants that won so many of so many games, each in games of its own."""
    played: Played = []
    for entrant, (wins, games) in enumerate(rates):
        for number in range(games):
            match = Match(f"1-{len(played):06}", (entrant, 10_000))
            played.append((match, result(2, (0,) if number < wins else (1,))))
    table = final_order(range(len(rates)), played)
    assert {line["entrant"]: (line["score"], line["games"]) for line in table} == dict(
        enumerate(rates)
    )
    return [(line["rank"], line["entrant"]) for line in table]


def test_the_best_rate_leads() -> None:
    """Wins ÷ games decide, not wins: two of three go before three of five."""
    assert table_of([(3, 5), (2, 3), (0, 9), (1, 1)]) == [(1, 3), (2, 1), (3, 0), (4, 2)]


def test_equal_rates_share_the_rank_in_order_of_entry() -> None:
    """The same rate out of other numbers of games is the same; the rank after it is skipped."""
    assert table_of([(1, 3), (2, 4), (2, 6), (3, 9), (1, 2), (0, 1)]) == [
        (1, 1),
        (1, 4),
        (3, 0),
        (3, 2),
        (3, 3),
        (6, 5),
    ]


def test_rates_are_exact() -> None:
    """Rates that agree in four digits, as they are shown, are not the same."""
    assert table_of([(333, 1000), (334, 1003), (1, 3)]) == [(1, 2), (2, 1), (3, 0)]


def test_who_never_played_stands_last() -> None:
    """Without a game the rate is 0, as it is without a win."""
    assert table_of([(0, 0), (1, 9), (0, 4)]) == [(1, 1), (2, 0), (2, 2)]


def test_all_winners_of_a_game_win_it() -> None:
    """A game that several win counts as a win for each of them (SU-5)."""
    held = Held(2, lambda match: result(2, (0, 1)), seats=2, games_per_entrant=3)
    assert held.standings == [
        {"rank": 1, "entrant": 0, "score": 6, "games": 6},
        {"rank": 1, "entrant": 1, "score": 6, "games": 6},
    ]


@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(0, 4))
def test_the_final_table_adds_up(number: int, seats: int, more: int) -> None:
    """Wins and games are those of the matches, in order of the rates.

    A better rate has a better rank. Equal rates share a rank, the earlier entrant first.
    """
    rng = random.Random(number)

    def ends(match: Match) -> Result:
        return result(seats, rng.sample(range(seats), rng.randint(1, seats)))

    held = Held(seats + more, ends, hex_seed(number), seats=seats, games_per_entrant=3)
    last = f"{len(attempts(held.events))}-"
    games: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    for event in held.events:
        if event["type"] == "match_played" and event["match"].startswith(last):
            games.update(event["seats"])
            wins.update(event["seats"][seat] for seat in event["winners"])
    table = held.standings
    rates = {one: Fraction(wins[one], games[one]) for one in range(seats + more)}
    assert [line["entrant"] for line in table] == sorted(rates, key=lambda one: (-rates[one], one))
    for line in table:
        one = line["entrant"]
        assert (line["score"], line["games"]) == (wins[one], games[one])
        assert line["rank"] == 1 + sum(rate > rates[one] for rate in rates.values())


# --- Too few games (SU-7) ------------------------------------------------------------------------


def test_a_tournament_with_too_few_games_for_anybody_is_played_again() -> None:
    """All games of the attempt stay on record, are void, and the next attempt draws afresh."""
    held = Held(6, first_wins, seats=2, games_per_entrant=1, min_games_per_entrant=1)
    parts = attempts(held.events)
    assert len(parts) > 1
    for number, part in enumerate(parts, 1):
        drawn = [match for match in held.schedule if match.id.startswith(f"{number}-")]
        assert [match.id for match in drawn] == [f"{number}-{n:06}" for n in range(6)]
        assert [match.seats for match in drawn] == [
            seated(match.id, range(6), 2) for match in drawn
        ]
        somebody_missed = len({one for match in drawn for one in match.seats}) < 6
        assert somebody_missed == (number < len(parts))
        end = ["voided"] if somebody_missed else ["tournament_finished"]
        assert part == ["match_played"] * 6 + end
    voided = [event for event in held.events if event["type"] == "voided"]
    assert voided == [
        {"type": "voided", "attempt": number, "matches": 6, "reason": "too_few_games"}
        for number in range(1, len(parts))
    ]
    assert held.clauses[-1] == "SU-6"
    assert {c for c, e in zip(held.clauses, held.events, strict=True) if e in voided} == {"SU-7"}


def test_void_games_count_for_nothing() -> None:
    """The final table is that of the last attempt alone."""
    held = Held(6, first_wins, seats=2, games_per_entrant=1, min_games_per_entrant=1)
    assert sum(line["games"] for line in held.standings) == 12
    assert sum(line["score"] for line in held.standings) == 6


def test_exactly_the_limit_is_enough() -> None:
    """An entrant with exactly the minimum of games has played enough."""
    everybody = Held(2, first_wins, seats=2, games_per_entrant=2, min_games_per_entrant=4)
    assert attempts(everybody.events) == [["match_played"] * 4 + ["tournament_finished"]]


def test_without_a_limit_nothing_is_played_again() -> None:
    """With the limit 0 the first attempt counts, even if an entrant never played."""
    held = Held(20, first_wins, seats=2, games_per_entrant=1, min_games_per_entrant=0)
    assert len(attempts(held.events)) == 1
    assert min(line["games"] for line in held.standings) == 0


# --- Disqualification (SU-9) ---------------------------------------------------------------------

FIVE: Any = {"seats": 2, "games_per_entrant": 4, "min_games_per_entrant": 0}


def test_an_attempt_ends_with_its_first_faulty_match() -> None:
    """After the faulty match come the disqualifications, and the void attempt.

    The next attempt is drawn without the disqualified entrants, under new ids.
    """
    held = Held(5, failing({"1-000003": [(1, "timeout")]}), **FIVE)
    out = held.schedule[3].seats[1]
    assert held.events[3:6] == [
        match_played("1-000003", held.schedule[3].seats, result(2, faults=[(1, "timeout")])),
        {"type": "disqualified", "entrant": out, "match": "1-000003", "kind": "timeout"},
        {"type": "voided", "attempt": 1, "matches": 4, "reason": "disqualified"},
    ]
    assert held.clauses[3:6] == ["SU-6", "SU-9", "SU-9"]
    left = [one for one in range(5) if one != out]
    assert held.schedule[4:] == [
        Match(f"2-{n:06}", seated(f"2-{n:06}", left, 2)) for n in range(16)
    ]
    assert sorted(line["entrant"] for line in held.standings) == left
    assert sum(line["games"] for line in held.standings) == 32


def test_several_are_disqualified_together() -> None:
    """All bots that failed in the match are disqualified, in the order of the seats."""
    faults = [(0, "crash"), (2, "illegal"), (3, "oversize")]
    held = Held(
        9,
        failing({"1-000000": faults}),
        seats=4,
        games_per_entrant=1,
        min_games_per_entrant=0,
    )
    seats = held.schedule[0].seats
    assert held.events[1:5] == [
        *(
            {
                "type": "disqualified",
                "entrant": seats[seat],
                "match": "1-000000",
                "kind": kind,
            }
            for seat, kind in faults
        ),
        {"type": "voided", "attempt": 1, "matches": 1, "reason": "disqualified"},
    ]
    assert len(held.standings) == 6
    assert not {seats[0], seats[2], seats[3]} & {line["entrant"] for line in held.standings}


def test_attempts_are_numbered_on() -> None:
    """Each attempt without another bot has the next number, those with too few games as well."""
    faults: dict[str, Sequence[tuple[int, str]]] = {
        "1-000002": [(0, "crash")],
        "2-000000": [(1, "crash")],
    }
    held = Held(7, failing(faults), **FIVE)
    assert [match.id for match in held.schedule][:6] == [
        "1-000000",
        "1-000001",
        "1-000002",
        "2-000000",
        "3-000000",
        "3-000001",
    ]
    voided = [event for event in held.events if event["type"] == "voided"]
    assert [(event["attempt"], event["matches"]) for event in voided] == [(1, 3), (2, 1)]
    assert len(held.standings) == 5


def test_a_fault_in_the_last_match_voids_all() -> None:
    """The last match of an attempt can end it like any other."""
    held = Held(5, failing({"1-000019": [(0, "crash")]}), **FIVE)
    assert [len(part) for part in attempts(held.events)] == [22, 17]


def test_with_too_few_left_the_table_is_empty() -> None:
    """When fewer bots are left than seats, the tournament ends without a table (SU-1)."""
    held = Held(2, failing({"1-000001": [(0, "crash")]}), **FIVE)
    assert [event["type"] for event in held.events] == [
        "match_played",
        "match_played",
        "disqualified",
        "voided",
        "tournament_finished",
    ]
    assert held.standings == []
    assert held.clauses[-1] == "SU-1"


def test_all_may_be_disqualified() -> None:
    """A match in which every bot failed leaves nobody."""
    held = Held(2, failing({"1-000000": [(0, "crash"), (1, "timeout")]}), **FIVE)
    assert [event["type"] for event in held.events].count("disqualified") == 2
    assert held.standings == []


@pytest.mark.parametrize("entrants", range(4))
def test_with_too_few_from_the_start_nothing_is_played(entrants: int) -> None:
    """With fewer entrants than seats no match is asked for; the table is empty (SU-1)."""
    held = Held(entrants, first_wins, seats=4)
    assert held.schedule == []
    assert held.labels == []
    assert held.events == [{"type": "tournament_finished", "standings": []}]


# --- All of it at once ---------------------------------------------------------------------------


def due(held: Held) -> Events:
    """The events of a tournament, from what the rulebook says."""
    settings = held.settings
    left = list(range(len(held.table.players)))
    events: Events = []
    for attempt in count(1):
        if len(left) < settings.seats:
            return [*events, {"type": "tournament_finished", "standings": []}]
        games: Counter[int] = Counter(dict.fromkeys(left, 0))
        wins: Counter[int] = Counter()
        out: Events = []
        matches = 0
        while matches < settings.games_per_entrant * len(left) and not out:
            id = f"{attempt}-{matches:06}"
            seats = seated(id, left, settings.seats, held.seed)
            ended = held.ends(Match(id, seats))
            events.append(match_played(id, seats, ended))
            out = [
                {"type": "disqualified", "entrant": seats[seat], "match": id, "kind": kind}
                for seat, kind in ended.faults
            ]
            games.update(seats)
            wins.update(seats[seat] for seat in ended.winners)
            matches += 1
        void = {"type": "voided", "attempt": attempt, "matches": matches}
        if out:
            events += [*out, void | {"reason": "disqualified"}]
            left = [one for one in left if one not in [event["entrant"] for event in out]]
        elif min(games.values()) < settings.min_games_per_entrant:
            events.append(void | {"reason": "too_few_games"})
        else:
            rates = {one: Fraction(wins[one], max(1, games[one])) for one in left}
            standings = [
                {
                    "rank": 1 + sum(rate > rates[one] for rate in rates.values()),
                    "entrant": one,
                    "score": wins[one],
                    "games": games[one],
                }
                for one in sorted(left, key=lambda one: (-rates[one], one))
            ]
            return [*events, {"type": "tournament_finished", "standings": standings}]
    raise AssertionError("no end")


@pytest.mark.parametrize("chunk", range(4))
def test_random_tournaments_are_as_told_a_second_time(chunk: int) -> None:
    """All events of a tournament follow from its matches as in the rulebook.

    The number of planned matches is never below the number of matches asked for so far. In a
    tournament with a final table both numbers are equal at the end.
    """
    for number in range(chunk, 400, 4):
        held = random_tournament(number)
        assert held.events == due(held)
        assert all(asked <= planned for asked, planned in enumerate(held.planned, 1))
        if held.standings:
            assert held.planned[-1] == len(held.schedule)


def test_random_tournaments_show_everything_there_is() -> None:
    """Among these tournaments attempts end in every way, and tables are empty and full."""
    reasons: Counter[Any] = Counter()
    for number in range(400):
        events = random_tournament(number).events
        voided = [event["reason"] for event in events if event["type"] == "voided"]
        reasons.update(voided)
        reasons["both"] += len(set(voided)) == 2
        reasons["neither"] += not voided
        reasons["empty"] += not events[-1]["standings"]
    wanted = ("disqualified", "too_few_games", "both", "neither", "empty")
    assert [reason for reason in wanted if not reasons[reason]] == []


@pytest.mark.parametrize("number", range(50))
def test_the_log_of_a_tournament_is_strictly_readable(number: int) -> None:
    """The events of the rules, with start and seal, are a valid log of a tournament."""
    held = random_tournament(number)
    log = parse(sealed(held.log, held.seed), NOWHERE)
    assert log.kind == "tournament"
    assert list(log.events[1:-1]) == held.events


# --- What it costs -------------------------------------------------------------------------------


def test_what_is_planned_follows_the_attempts() -> None:
    """At first it is games per entrant × entrants; later the void games count besides.

    Those of an attempt that was cut short are as many as were played, not as were planned.
    """
    held = Held(5, failing({"1-000003": [(1, "crash")]}), **FIVE)
    assert held.planned == [20] * 4 + [4 + 16] * 16
    held = Held(6, first_wins, seats=2, games_per_entrant=1, min_games_per_entrant=1)
    assert held.planned == [6 * (1 + n // 6) for n in range(len(held.schedule))]


def test_matches_are_drawn_as_they_are_needed() -> None:
    """A tournament of a thousand million games costs no more than the games that are taken."""
    labels: list[str] = []

    def trace(draw: Draw) -> None:
        labels.append(draw.label)
        assert len(labels) <= 3

    settings: Any = CARD.settings({"games_per_entrant": 100_000})
    names = [f"bot{number}" for number in range(10_000)]
    table: TournamentTable[Any] = TournamentTable(
        names, settings, Dice(SEED, trace), lambda event, clause: None
    )
    schedule = next(play(table))
    assert isinstance(schedule, Schedule)
    assert schedule.until_fault
    assert labels == []
    assert [match.id for match in islice(schedule.matches, 3)] == [
        "1-000000",
        "1-000001",
        "1-000002",
    ]
    assert len(labels) == 3
    assert table.planned == 1_000_000_000
