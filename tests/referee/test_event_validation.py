"""The schedules and questions of third-party rules are validated before they are played."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from games.driving import next_question
from games.importing.imported import match_started, tournament_started
from games.table import (
    Answer,
    ArgvCall,
    Ask,
    ClassCall,
    Fault,
    FileCall,
    JointAsk,
    Match,
    MatchRules,
    MatchTable,
    Part,
    Result,
    Schedule,
    TournamentTable,
)
from referee.event_validation import ARGUMENT, ARGUMENTS, EventValidator
from schema import registry
from schema.card import Card
from schema.dice import Dice
from schema.errors import GameError
from tests.referee.bot_factory import CARD, UNIQUE

FIRST = Match("1-000000", (0, 1))


def validated(*matches: Match) -> list[Match]:
    """Return the matches of a schedule of two entrants, validated."""
    return list(EventValidator(CARD, Path("tournament.jsonl")).matches(Schedule(matches), 2))


def test_a_match_may_share_the_dice_of_an_earlier_one() -> None:
    """A schedule may name the dice of a match that it names before."""
    schedule = [FIRST, Match("1-000001", (1, 0), dice=FIRST.id)]
    assert validated(*schedule) == schedule


@pytest.mark.parametrize("dice", ["1-000001", "1-000002", "nonsense"])
def test_other_dice_are_refused(dice: str) -> None:
    """The dice of the match itself, of a later one or of none are refused by name."""
    later = Match("1-000002", (0, 1))
    says = f"match '1-000001': expected the dice of an earlier match, found those of '{dice}'"
    with pytest.raises(GameError, match=says):
        validated(FIRST, Match("1-000001", (1, 0), dice=dice), later)


SELECT = JointAsk("select", ClassCall(None), ("1", "2"))


def after(choices: Any) -> JointAsk:
    """Return a question after these choices."""
    return SELECT._replace(observation=ClassCall(choices))


def to_answer(legal: Any, observation: Any = SELECT.observation) -> JointAsk:
    """Return a question with these legal answers."""
    return JointAsk("select", observation, legal)


@pytest.mark.parametrize(
    ("game", "question", "message"),
    [
        (
            "smallest_unique",
            SELECT._replace(name="bid"),
            "no event that holds the choices of 'bid'",
        ),
        ("smallest_unique", to_answer(("a",)), "a tuple of integers as texts"),
        ("smallest_unique", to_answer((1, 2)), "a tuple of integers as texts"),
        ("smallest_unique", to_answer(("01",)), "a tuple of integers as texts"),
        ("smallest_unique", to_answer(["1"]), "a tuple of integers as texts"),
        ("smallest_unique", to_answer(("1", "2"), [1, 2]), "expected ClassCall"),
        ("smallest_unique", after(["1", "2"]), "None or a list of 2 integers"),
        ("smallest_unique", after([1]), "None or a list of 2 integers"),
        ("smallest_unique", after({1, 2}), "None or a list of 2 integers"),
        ("smallest_unique", after([1, True]), "None or a list of 2 integers"),
        ("smallest_unique", [], "expected a JointAsk"),
        ("coins", SELECT, "expected a list of Ask"),
    ],
)
def test_a_question_that_cannot_be_replayed_is_refused(
    game: str, question: object, message: str
) -> None:
    """A question fits its protocol, and the card names the event that holds joint choices."""
    validator = EventValidator(registry.card(game))
    with pytest.raises(GameError, match=message) as caught:
        validator.question(question, 2)
    assert str(caught.value).startswith(f"the rules {game}/")


@pytest.mark.parametrize(
    ("game", "call", "legal", "told"),
    [
        ("coins", ArgvCall((1, "2")), ("a",), "a tuple of texts without NUL, of at"),  # type: ignore[arg-type]
        ("coins", ArgvCall("12"), ("a",), "found '12'"),  # type: ignore[arg-type]
        ("coins", ArgvCall(("a\0",)), ("a",), r"found \('a\\x00',\)"),
        ("coins", ArgvCall(("\ud800",)), ("a",), "as 'args'"),
        ("coins", ArgvCall(("ä" * 2**16,)), ("a",), "at most 131,071 bytes each"),
        ("coins", ArgvCall(("a" * 2**16,) * 17), ("a",), "1,048,576 together, as 'args'"),
        ("coins", ArgvCall(()), (1, 2), "a tuple of texts as 'legal' of the question 'turn'"),
        ("coins", ArgvCall(()), "ab", "as 'legal'"),
        ("coup", FileCall(b"", ()), ("a",), "expected text as 'history'"),  # type: ignore[arg-type]
    ],
)
def test_a_question_that_no_bot_can_be_asked_is_refused(
    game: str, call: ArgvCall | FileCall, legal: Any, told: str
) -> None:
    """Arguments, histories and legal answers are text; a text is no list of its characters."""
    validator = EventValidator(registry.card(game))
    with pytest.raises(GameError, match=told):
        validator.question([Ask(0, "turn", call, legal)])


def test_the_longest_argument_reaches_a_program() -> None:
    """The limits are those of Linux: one byte more, and no program starts."""
    longest = "a" * ARGUMENT
    for words in ((longest,), ("a" * 2**16,) * (ARGUMENTS // 2**16)):
        EventValidator(registry.card("coins")).question([Ask(0, "turn", ArgvCall(words), ("a",))])
        subprocess.run(["true", *words], check=True)
    if sys.platform == "linux":
        with pytest.raises(OSError, match="Argument list too long"):
            subprocess.run(["true", f"{longest}a"])


def test_another_question_before_the_choices_is_refused() -> None:
    """The event after a joint question holds its choices."""

    def rules() -> MatchRules:
        yield SELECT
        yield SELECT

    running = EventValidator(registry.card("smallest_unique")).validated(rules(), 2)
    assert next(running) is SELECT
    with pytest.raises(GameError, match="expected the event round after a joint question, found"):
        running.send([1, 2])


def table_of(card: Card, validator: EventValidator) -> MatchTable[Any]:
    """Return the table of a match of two, whose start is recorded."""
    settings, names = card.settings({"seats": 2} if card is UNIQUE else {}), ("a", "b")
    validator.event(match_started(card, "0" * 16, "1-000000", names, settings.model_dump()), "")
    return MatchTable(names, settings, Dice("0" * 64), validator.event)


@pytest.mark.parametrize("asks", [True, False])
def test_rules_that_go_on_without_an_answer_to_a_joint_question(asks: bool, tmp_path: Path) -> None:
    """After a failure, rules that go on have recorded the answers of all seats."""
    validator = EventValidator(UNIQUE, tmp_path / "log.jsonl")
    table = table_of(UNIQUE, validator)

    def rules() -> MatchRules:
        replies = yield SELECT
        table.reject(Part(1, "select"), replies[1], "SU-9", "1")
        if asks:
            yield SELECT
        table.emit({"type": "round", "round": 1, "choices": [1, 1]}, "SU-3")

    running = validator.validated(rules(), 2)
    next(running)
    with pytest.raises(GameError, match="they do not record the answer of seat 0 to a joint"):
        running.send({0: Answer({"output": b"1"}), 1: Fault("crash", during="select")})


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("joint", [True, False])
def test_rules_that_end_a_match_after_a_failure(joint: bool, number: int, tmp_path: Path) -> None:
    """They need not record the answers of all seats, but one."""
    card = UNIQUE if joint else CARD
    validator = EventValidator(card, tmp_path / "log.jsonl")
    table = table_of(card, validator)
    asks = [Ask(seat, "turn", FileCall("", ()), ()) for seat in (0, 1)]
    failures = [Fault("crash"), Fault("timeout")]

    def rules() -> MatchRules:
        yield SELECT if joint else asks
        for ask, failure in zip(asks[:number], failures, strict=False):
            table.reject(ask, failure, "X-1", "none")
        table.finish("void", [0, 0], [], "X-2")

    running = validator.validated(rules(), 2)
    next(running)
    replies = dict(enumerate(failures)) if joint else failures
    if number:
        with pytest.raises(StopIteration):
            running.send(replies)
    else:
        message = (
            "found match_finished" if joint else "do not record the answer of seat 0 to 'turn'"
        )
        with pytest.raises(GameError, match=message):
            running.send(replies)


def test_the_matches_of_a_schedule_are_recorded_and_no_others(tmp_path: Path) -> None:
    """A tournament may end without a final table after a disqualification, but with all matches."""
    settings, names = CARD.settings({}), ("a", "b")
    validator = EventValidator(CARD, tmp_path / "tournament.jsonl")
    validator.event(tournament_started(CARD, "0" * 16, names, settings.model_dump()), "")
    table = TournamentTable(names, settings, Dice("0" * 64), validator.event)
    result = Result("forfeit", (1, 0), (0,), ((1, "crash"),), "0" * 64)
    validator.results([(FIRST, result)])
    with pytest.raises(GameError, match="they do not record match '1-000000'"):
        validator.end()
    table.played(FIRST, result, "X-1")
    with pytest.raises(GameError, match="they ended without a final table"):
        validator.end()
    table.disqualified(FIRST, 1, "crash", "X-2")
    validator.end()
    with pytest.raises(GameError, match="expected no further match, found match '1-000001'"):
        table.played(Match("1-000001", (1, 0)), result, "X-1")


def test_rules_that_fail_between_two_questions() -> None:
    """Rules of matches that are played together fail with the line of their code, too."""

    def rules() -> Generator[str, object, None]:
        yield "a question"
        raise ZeroDivisionError("by zero")

    running = rules()
    assert next_question(running) == "a question"
    with pytest.raises(GameError, match=r"test_event_validation.py, line \d+: ZeroDivisionError"):
        next_question(running, [])
