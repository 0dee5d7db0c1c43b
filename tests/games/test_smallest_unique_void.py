"""Games of Smallest Unique Number with failing bots (SU-9): disqualified bots, and events."""

from __future__ import annotations

from itertools import product

import pytest

from games.table import Answer, Reply
from tests.factories import printed
from tests.games.unique_games import KINDS, Game, answered, fault, finished, stopped, void

ROUNDS = ([1, 2, 3], [4, 5, 4])
POINTS = [1, 1, 0]
"""Two rounds of a game of three, and the points after them."""

Conducts = tuple[str, ...]
"""The conduct of each seat between two rounds: ``ok``, or the step in which it fails."""


def replies_of(conducts: Conducts, choosing: bool = True) -> dict[int, Reply]:
    """Return the reply of each seat, if there is one; an update without failure has no reply."""
    replies: dict[int, Reply] = {}
    for seat, conduct in enumerate(conducts):
        if conduct == "ok":
            if choosing:
                replies[seat] = printed(str(seat + 1))
        elif conduct == "illegal":
            replies[seat] = printed("11")
        else:
            replies[seat] = stopped(conduct)
    return replies


def some(*steps: str) -> list[Conducts]:
    """Everything that three bots can do, where at least one of them fails."""
    return [c for c in product(("ok", *steps), repeat=3) if set(c) != {"ok"}]


def assert_void(game: Game, played: int, conducts: Conducts, replies: dict[int, Reply]) -> None:
    """The game ended after ``played`` rounds as SU-9 has it, under its clauses."""
    if "construct" in conducts or "update" in conducts:
        step = "construct" if "construct" in conducts else "update"
        recorded = {seat: replies[seat] for seat in range(3) if conducts[seat] == step}
    else:
        step, recorded = "select", replies
    points = [[0, 0, 0], [1, 0, 0], POINTS][played]
    assert game.events[played:] == void(step, recorded, points)
    assert [event["type"] for event in game.events[:played]] == ["round"] * played
    assert game.clauses[played:] == [
        "SU-2" if event["type"] == "answered" else "SU-9" for event in game.events[played:]
    ]


@pytest.mark.parametrize("conducts", some("construct", "select", "illegal"))
def test_the_earliest_step_before_the_first_round(conducts: Conducts) -> None:
    """Only bots that cannot be constructed are out; if there are none, all that cannot choose."""
    replies = replies_of(conducts)
    assert_void(Game(replies, rounds=2), 0, conducts, replies)


@pytest.mark.parametrize("played", [1, 2])
@pytest.mark.parametrize("conducts", some("update", "select", "illegal"))
def test_the_earliest_step_between_two_rounds(conducts: Conducts, played: int) -> None:
    """Only bots that fail to be updated are out; if there are none, all that cannot choose."""
    replies = replies_of(conducts)
    assert_void(Game(*ROUNDS[:played], replies, rounds=3), played, conducts, replies)


@pytest.mark.parametrize("conducts", some("update"))
def test_a_failure_after_the_last_round(conducts: Conducts) -> None:
    """All rounds are recorded, but the game is void, and has no winner."""
    replies = replies_of(conducts, choosing=False)
    assert_void(Game(*ROUNDS, replies, rounds=2), 2, conducts, replies)


@pytest.mark.parametrize("step", ["construct", "update", "select"])
@pytest.mark.parametrize("kind", KINDS)
def test_how_a_bot_was_stopped(step: str, kind: str) -> None:
    """A bot is out whether it crashed, was too slow, or broke another limit."""
    replies: dict[int, Reply] = {seat: printed("7") for seat in range(3)}
    replies[1] = stopped(step, kind)
    played = 0 if step == "construct" else 1
    game = Game(*ROUNDS[:played], replies, rounds=3)
    assert fault(1, step, kind) in game.events
    assert [event["seat"] for event in game.events if event["type"] == "fault"] == [1]


def test_what_a_bot_wrote_is_kept() -> None:
    """The output of a stopped bot is recorded, but not judged."""
    said = stopped("select", "oversize", b"7")
    game = Game({0: printed("7"), 1: said, 2: printed("8")}, rounds=1)
    assert game.events[:3] == [
        answered(0, "7"),
        fault(1, "select", "oversize", output="7"),
        answered(2, "8"),
    ]


@pytest.mark.parametrize("played", [0, 1, 2])
@pytest.mark.parametrize("choice", [0, 11, -1, -10, 100, 2**63 - 1, -(2**63)])
def test_a_number_that_is_not_from_1_to_10(choice: int, played: int) -> None:
    """A bot with an integer out of range is out; the other bots' choices are recorded."""
    for seat in range(3):
        choices = [5, 10, 1]
        choices[seat] = choice
        game = Game(*ROUNDS[:played], choices, rounds=3)
        wanted = [answered(other, str(choices[other])) for other in range(3)]
        wanted[seat] = fault(seat, "select", "illegal", output=str(choice))
        assert game.events[played:-1] == wanted
        assert game.events[-1]["reason"] == "void"


@pytest.mark.parametrize(
    "text",
    [
        "bool True",
        "bool False",
        "float 1.0",
        "str '1'",
        "NoneType None",
        "list [1]",
        "",
        " 5",
        "5\n",
        "5 ",
        "5.0",
        "1,2",
        "५",
        "５",
        "5" * 4300,
    ],
)
def test_what_is_no_integer(text: str) -> None:
    """A choice that is no integer puts its bot out, and is on record as it came."""
    game = Game([1, 2, 3], {0: printed("5"), 1: printed(text), 2: printed("5")}, rounds=2)
    assert game.events[1:] == [
        answered(0, "5"),
        fault(1, "select", "illegal", output=text),
        answered(2, "5"),
        finished("void", [1, 0, 0], []),
    ]


def test_a_choice_that_is_no_text() -> None:
    """A choice that is not UTF-8 puts its bot out, and is on record in base64."""
    game = Game({0: printed(b"\xff5"), 1: printed("1"), 2: printed("2")}, rounds=1)
    assert game.events[0] == fault(0, "select", "illegal", output_base64="/zU=")


def test_a_bot_that_says_nothing() -> None:
    """An answer without any output is no choice."""
    game = Game({0: printed("1"), 1: Answer({}), 2: printed("2")}, rounds=1)
    assert game.events[:3] == [answered(0, "1"), fault(1, "select", "illegal"), answered(2, "2")]


def test_all_fail_together() -> None:
    """If every bot chooses badly, each in a way of its own, all are out."""
    replies: dict[int, Reply] = {
        0: printed("0"),
        1: stopped("select", "timeout"),
        2: printed("bool True"),
    }
    game = Game([1, 1, 2], replies, rounds=2)
    assert game.events[1:] == [
        fault(0, "select", "illegal", output="0"),
        fault(1, "select", "timeout"),
        fault(2, "select", "illegal", output="bool True"),
        finished("void", [0, 0, 1], []),
    ]


@pytest.mark.parametrize("numbers", [[0, 0, 0], [11, 12, 13], [-1, 0, 11]])
def test_all_choose_numbers_that_are_not_there(numbers: list[int]) -> None:
    """If every bot chooses a number out of range, all are out."""
    game = Game(numbers, rounds=1)
    assert game.events == [
        *(fault(n, "select", "illegal", output=str(number)) for n, number in enumerate(numbers)),
        finished("void", [0, 0, 0], []),
    ]


def test_the_order_of_the_replies_does_not_matter() -> None:
    """Events are in the order of the seats, regardless of the order of the replies."""
    replies: dict[int, Reply] = {2: stopped("select"), 0: printed("11"), 1: printed("4")}
    assert [event["seat"] for event in Game(replies, rounds=1).events[:-1]] == [0, 1, 2]


def test_points_so_far_are_the_scores() -> None:
    """A void game keeps its points, but the bot with the most points does not win."""
    game = Game([1, 2, 3], [1, 2, 3], [2, 1, 3], {2: stopped("update")}, rounds=9)
    assert game.events[-1] == finished("void", [2, 1, 0], [])
    assert game.state["points"] == [2, 1, 0]


def test_a_choice_out_of_range_scores_nothing() -> None:
    """A round with an illegal choice is not scored and not recorded as a round."""
    game = Game([1, 2, 3], [0, 1, 2], rounds=2)
    assert [event["type"] for event in game.events].count("round") == 1
    assert game.events[-1]["scores"] == [1, 0, 0]
    assert game.state["rounds"] == 1
