"""The clauses of Smallest Unique Number's rulebook, as far as a game shows them, one by one."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.table import JointAsk
from schema.errors import UsageError
from tests.factories import at_random, match_events
from tests.games.unique_games import CARD, Game, finished, in_turn, smallest_unique, stopped

TEN = list(range(1, 11))
LEGAL = tuple(map(str, TEN))

# --- SU-1: a game --------------------------------------------------------------------------------


def test_su_1_ten_bots_play_a_thousand_rounds() -> None:
    """By the game's own settings, ten bots play 1,000 rounds, and then there is a result."""
    settings: Any = CARD.settings({})
    assert (settings.seats, settings.rounds) == (10, 1_000)
    events = match_events(in_turn(*[TEN] * 1_000), game="smallest_unique", players=10)
    assert [event["round"] for event in events[1:-1]] == list(range(1, 1_001))
    assert events[-1] == finished("played", [1_000] + [0] * 9, [0])


@pytest.mark.parametrize(("seats", "rounds"), [(2, 1), (2, 7), (12, 3), (1_000, 2)])
def test_su_1_the_contest_may_say_otherwise(seats: int, rounds: int) -> None:
    """Seats and rounds are settings."""
    choices = [1 + seat % 10 for seat in range(seats)]
    game = Game(*[choices] * rounds, seats=seats)
    assert [event["type"] for event in game.events] == ["round"] * rounds + ["match_finished"]
    assert len(game.events[-1]["scores"]) == seats


@pytest.mark.parametrize("players", [9, 11])
def test_su_1_a_game_needs_as_many_bots_as_seats(players: int) -> None:
    """A game has exactly as many bots as seats."""
    CARD.check_number("seats", 10, CARD.settings({}))
    with pytest.raises(ValueError, match=rf"expected 10 bots \(setting seats\), found {players}"):
        CARD.check_number("seats", players, CARD.settings({}))


def test_su_1_a_game_of_one_is_none() -> None:
    """A bot alone would always win: there are two seats or more."""
    with pytest.raises(UsageError, match="seats"):
        CARD.settings({"seats": 1})


def test_su_1_the_state_before_and_after_a_round() -> None:
    """The state for display has no choices before the first round, and then those of the last."""
    before, after = Game({0: stopped("construct")}, rounds=1).state, Game([1, 2, 2]).state
    assert (before["rounds"], before["choices"]) == (0, None)
    assert (after["rounds"], after["choices"]) == (1, [1, 2, 2])


# --- SU-2: choices -------------------------------------------------------------------------------


def test_su_2_all_are_asked_at_once() -> None:
    """A round is one question to all seats, and the legal answers are the integers 1 to 10."""
    game = Game([1, 2, 3], [4, 5, 6])
    selects = [ask for ask in game.asks if ask.name == "select"]
    assert [ask.legal for ask in selects] == [LEGAL] * 2
    assert all(isinstance(ask, JointAsk) for ask in game.asks)


def test_su_2_nobody_learns_of_a_choice_before_all_have_chosen() -> None:
    """At each choice a bot gets the choices of the round before, and no others."""
    game = Game([1, 2, 3], [4, 5, 6], [7, 8, 9])
    told = [ask.observation.choices for ask in game.asks]
    assert told == [None, [1, 2, 3], [4, 5, 6], [7, 8, 9]]


@pytest.mark.parametrize("number", TEN)
def test_su_2_each_of_ten_numbers_may_be_chosen(number: int) -> None:
    """A number from 1 to 10 scores if one bot alone chooses it, and the others cancel out."""
    other = number % 10 + 1
    game = Game([other, number, other])
    assert game.events[0] == {
        "type": "round",
        "round": 1,
        "choices": [other, number, other],
        "winner": 1,
    }


# --- SU-3: who scores ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choices", "winner"),
    [
        ([1, 2, 3], 0),
        ([3, 2, 1], 2),
        ([1, 1, 2], 2),
        ([1, 2, 1], 1),
        ([10, 1, 1], 0),
        ([9, 10, 8], 2),
        ([1, 1, 1], None),
        ([10, 10, 10], None),
    ],
)
def test_su_3_the_smallest_number_that_one_bot_chose_scores(
    choices: list[int], winner: int | None
) -> None:
    """Numbers that several chose are out; of the others the smallest scores a single point."""
    game = Game(choices)
    assert game.events[0].get("winner") == winner
    assert game.events[-1]["scores"] == [int(seat == winner) for seat in range(3)]
    assert game.clauses == ["SU-3", "SU-5"]


def test_su_3_nobody_scores_if_no_number_is_left() -> None:
    """A round in which every number was chosen twice has no winner, and says of none."""
    game = Game([1, 1, 2, 2], seats=4)
    assert game.events[0] == {"type": "round", "round": 1, "choices": [1, 1, 2, 2]}


@pytest.mark.parametrize(("seats", "highest"), [(2, 10), (3, 10), (4, 5), (5, 3)])
def test_su_3_holds_for_all_choices_there_are(seats: int, highest: int) -> None:
    """For all choices of a few bots, counting the numbers gives the winner of the point."""
    everything = [list(choices) for choices in product(range(1, highest + 1), repeat=seats)]
    game = Game(*everything, seats=seats)
    won = [event.get("winner") for event in game.events[:-1]]
    assert won == [smallest_unique(choices) for choices in everything]


@given(st.lists(st.integers(1, 10), min_size=10, max_size=10))
def test_su_3_a_winner_is_alone_with_the_smallest(choices: list[int]) -> None:
    """Nobody else chose the winner's number, and each smaller one was chosen twice or never."""
    seat = Game(choices, seats=10).events[0].get("winner")
    if seat is None:
        assert all(choices.count(number) != 1 for number in TEN)
    else:
        assert choices.count(choices[seat]) == 1
        assert all(choices.count(number) != 1 for number in range(1, choices[seat]))


@pytest.mark.parametrize("seats", [2, 3, 9, 10, 50])
def test_su_3_a_point_is_one_point(seats: int) -> None:
    """A point is one point, for each number and each number of bots."""
    for number in TEN:
        choices = [number] + [number % 10 + 1] * (seats - 1)
        if smallest_unique(choices) == 0:
            assert Game(choices, seats=seats).events[-1]["scores"] == [1] + [0] * (seats - 1)


# --- SU-4: the arguments of bots -----------------------------------------------------------------


def test_su_4_all_are_told_after_every_round() -> None:
    """Bots get each round's choices in seat order with the next question.

    The choices of the last round come at the end, without a question.
    """
    game = Game([3, 1, 2], [6, 4, 5])
    assert [(ask.name, ask.observation.choices, ask.legal) for ask in game.asks] == [
        ("select", None, LEGAL),
        ("select", [3, 1, 2], LEGAL),
        ("update", [6, 4, 5], ()),
    ]


def test_su_4_what_is_told_is_what_is_on_record() -> None:
    """The choices that bots get are equal to the choices in the event of the round."""
    game = Game([7, 7, 7], [1, 10, 1], [2, 2, 5])
    told = [ask.observation.choices for ask in game.asks[1:]]
    assert told == [event["choices"] for event in game.events[:-1]]


# --- SU-5: who wins ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rounds", "scores", "winners"),
    [
        ([[1, 2, 3], [1, 2, 3], [2, 1, 3]], [2, 1, 0], [0]),
        ([[1, 2, 3], [2, 1, 3]], [1, 1, 0], [0, 1]),
        ([[1, 2, 3], [2, 1, 3], [2, 3, 1]], [1, 1, 1], [0, 1, 2]),
        ([[4, 4, 4], [5, 5, 5]], [0, 0, 0], [0, 1, 2]),
        ([[2, 2, 9]], [0, 0, 1], [2]),
    ],
)
def test_su_5_who_has_the_most_points_wins(
    rounds: list[list[int]], scores: list[int], winners: list[int]
) -> None:
    """All bots with the most points win, also where nobody has any."""
    game = Game(*rounds)
    assert game.events[-1] == finished("played", scores, winners)
    assert game.clauses[-1] == "SU-5"


def test_su_5_all_rounds_are_played() -> None:
    """A game that can no longer be lost goes on to its last round."""
    game = Game(*[[1, 2, 3]] * 9, [2, 1, 3])
    assert [event["type"] for event in game.events] == ["round"] * 10 + ["match_finished"]
    assert game.events[-1]["scores"] == [9, 1, 0]


# --- SU-6, SU-7: settings ------------------------------------------------------------------------


def test_su_6_there_are_200_games_an_entrant_unless_the_contest_says_otherwise() -> None:
    """The game's own settings hold 200 games an entrant."""
    settings: Any = CARD.settings({})
    assert settings.games_per_entrant == 200


@pytest.mark.parametrize(("games", "fewest"), [(200, 100), (1, 1), (2, 1), (3, 2), (201, 101)])
def test_su_7_the_limit_is_half_rounded_up(games: int, fewest: int) -> None:
    """Unless it is set, an entrant must play half as many games as there are per entrant."""
    settings: Any = CARD.settings({"games_per_entrant": games})
    assert settings.min_games_per_entrant == fewest


def test_su_7_the_limit_may_be_set() -> None:
    """A contest sets its own limit, 0 for none, but none that cannot be reached."""
    settings: Any = CARD.settings({"games_per_entrant": 10, "min_games_per_entrant": 0})
    assert settings.min_games_per_entrant == 0
    with pytest.raises(UsageError, match="at most 20"):
        CARD.settings({"seats": 2, "games_per_entrant": 10, "min_games_per_entrant": 21})


# --- SU-8: what bots keep ------------------------------------------------------------------------


def test_su_8_every_game_begins_anew() -> None:
    """Two games with the same choices are the same: nothing is left of the one before."""
    rounds = [[1, 2, 3], [2, 2, 1]]
    one, other = Game(*rounds), Game(*rounds)
    assert one.events == other.events
    assert one.asks == other.asks
    assert other.asks[0].observation.choices is None, "it says nothing about the game before"


def test_su_8_the_seed_changes_nothing() -> None:
    """A game rolls no dice: with the same choices, each seed gives the same events."""
    one, other = (
        match_events(in_turn([1, 2, 3]), seed, "smallest_unique", 3, seats=3, rounds=1)
        for seed in ("1" * 64, "2" * 64)
    )
    assert one[1:] == other[1:]


# --- SU-9: see also test_smallest_unique_void.py -------------------------------------------------


def test_su_9_a_call_may_take_one_second() -> None:
    """The time limit of a call is a second, unless the contest says otherwise."""
    settings: Any = CARD.settings({})
    assert settings.time_limit_s == 1


def test_su_9_nobody_is_asked_after_a_failure() -> None:
    """A game ends with the failure: no round follows, and no bot gets any choices."""
    game = Game([1, 2, 3], {1: stopped("update")}, rounds=5)
    assert [ask.name for ask in game.asks] == ["select", "select"]


# --- SU-10, SU-11 --------------------------------------------------------------------------------


def test_su_10_bots_hear_nothing_but_choices() -> None:
    """A question holds the choices of the last round: no points, no names, no seed."""
    asks: list[JointAsk] = []
    player = at_random(random.Random(1), 4)

    def listen(ask: JointAsk) -> Any:
        asks.append(ask.copy())
        return player(ask)

    match_events(listen, game="smallest_unique", players=4, seats=4, rounds=5)
    assert {ask.observation._fields for ask in asks} == {("choices",)}
    for ask in asks[1:]:
        assert ask.observation.choices is not None
        assert [type(choice) for choice in ask.observation.choices] == [int] * 4


def test_su_11_as_many_bots_as_seats_are_enough() -> None:
    """A tournament needs one entrant per seat: no bot fills a second seat."""
    settings = CARD.settings({"seats": 4})
    CARD.check_number("entrants", 4, settings)
    with pytest.raises(ValueError, match=r"expected 4 to 10000 bots \(setting seats\), found 3"):
        CARD.check_number("entrants", 3, settings)
