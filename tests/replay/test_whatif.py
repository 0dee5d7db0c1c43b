"""Events after another answer: laws over all golden logs, and cases by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from games import recorded
from games.table import Fault, JointAsk, Replies, Reply
from replay.driver import Question
from replay.errors import NoSuchEvent, ReplayError
from replay.whatif import WhatIf, what_if
from schema.bot_output import ANSWER_CHANNELS, CAP
from schema.errors import UsageError
from schema.reader import Log, parse, read
from tests.factories import Player, match_events, sealed
from tests.golden.make import HERE
from tests.sampling import one_in

GOLDEN = [path for path in sorted(HERE.glob("*/*.jsonl")) if "tournament" not in path.stem]
each_golden_log = pytest.mark.parametrize(
    "path", one_in(3, {f"{path.parent.name}/{path.stem}": path for path in GOLDEN})
)
"""In the suite one golden match in three."""

HELD = ("answered", "fault", "round")
"""The events that hold answers."""


def said(log: Log) -> Iterator[tuple[int, int, Mapping[str, bytes]]]:
    """Every answer of a log: its event, its seat, and itself; without failures."""
    events: list[Any] = list(log.events)
    for seq, event in enumerate(events):
        if event["type"] == "round":
            for seat in (0, len(event["choices"]) - 1):
                yield seq, seat, {"output": str(event["choices"][seat]).encode()}
        elif event["type"] == "answered" or event.get("kind") == "illegal":
            reply = recorded.read_reply(event, log.card.protocol)
            yield seq, event["seat"], reply.raw


def as_recorded(log: Log) -> Player:
    """Bots that answer every question of a log as it is recorded."""
    held: list[Any] = [event for event in log.events if event["type"] in HELD]
    place = 0

    def ask(asked: Any) -> Any:
        nonlocal place
        left = held[place:]
        if isinstance(asked, JointAsk):
            place += 1
            if left and left[0]["type"] == "round":
                return left[0]["choices"]
            return {one["seat"]: recorded.read_reply(one, "class") for one in left} or None
        place += len(asked)
        return [recorded.read_reply(one, log.card.protocol) for one in left[: len(asked)]]

    return ask


@each_golden_log
def test_the_recorded_answer_leads_to_the_recorded_events(path: Path) -> None:
    """Had been answered what was answered, just the events up to the next question follow."""
    log = read(path)
    answers = list(said(log))
    for seq, seat, spoken in answers[:: max(1, len(answers) // 60)]:
        found = what_if(log, seq, spoken, seat)
        assert found.same
        assert seq in (step.seq for step in found.steps)
        following = found.steps[-1].seq + 1
        if found.end is None:
            assert found.next_question is not None
            last = [step.seq for step in found.steps if step.event["type"] in HELD][-1]
            rest = [event["type"] for event in log.events[last + 1 : following]]
            assert not set(rest) & set(HELD)
            assert "match_finished" not in rest
        else:
            assert found.end == found.recorded_end
            assert following == len(log.events) - 1


@each_golden_log
def test_with_the_recorded_answers_it_goes_on_to_the_recorded_end(path: Path) -> None:
    """With bots that answer as recorded all events of the match follow, to the last."""
    log = read(path)
    answers = list(said(log))
    for seq, seat, spoken in answers[:: max(1, len(answers) // 8)]:
        found = what_if(log, seq, spoken, seat, as_recorded(log))
        assert (found.same, found.changed) == (True, 0)
        assert found.end == found.recorded_end
        assert found.steps[-1].seq == len(log.events) - 2


@each_golden_log
def test_another_answer_is_judged_by_the_rules(path: Path) -> None:
    """An illegal answer is a fault of its seat, with clause and penalty.

    Only the second round of Bank Heist accepts any text.
    """
    log = read(path)
    answers = list(said(log))
    for seq, seat, _ in answers[:: max(1, len(answers) // 8)]:
        rubbish = dict.fromkeys(ANSWER_CHANNELS[log.card.protocol], b"\xff?")
        found = what_if(log, seq, rubbish, seat)
        first: Any = next(step.event for step in found.steps if step.event.get("seat") == seat)
        if log.events[seq].get("ask") == "action":
            assert first["type"] == "answered"
        else:
            assert (first["type"], first["kind"]) == ("fault", "illegal")
            assert first["clause"]
            assert first["penalty"]


# --- By hand -------------------------------------------------------------------------------------


def instead(name: str, seq: int, seat: int | None = None, **answer: str) -> WhatIf:
    """Return the events that would have followed another answer in a golden log."""
    raw = {channel: text.encode() for channel, text in answer.items()}
    return what_if(read(HERE / f"{name}.jsonl"), seq, raw, seat)


def events(found: WhatIf, *types: str) -> list[dict[str, Any]]:
    """The events that would have followed, of these types, without their type."""
    those = [dict(step.event) for step in found.steps if step.event["type"] in types]
    return [{key: event[key] for key in event if key != "type"} for event in those]


def asked(found: WhatIf) -> tuple[int, str, Sequence[str]]:
    """Return the seat, the name and the legal answers of the next question."""
    assert isinstance(found.next_question, list)
    [ask] = found.next_question
    return ask.seat, ask.name, ask.legal


def test_coup_income_instead_of_an_exchange() -> None:
    """Income brings a coin at once, and the turn goes to the other player, which may now steal."""
    found = instead("coup-1/exchange_keeps_order_written", 2, appended="I\n")
    assert [step.clause for step in found.steps] == ["CP-5", "CP-8"]
    moved = {"cause": "income", "change": [1, 0], "coins": [2, 1]}
    assert events(found, "coins_moved") == [moved]
    assert asked(found) == (1, "turn", ("I\n", "F", "E", "T", "S"))
    assert found.before is not None
    assert found.after is not None
    assert (found.before["coins"], found.after["coins"]) == ([1, 1], [2, 1])


def test_coup_other_cards_kept() -> None:
    """Another text in one of two channels gives the shuffle other cards, with the same die."""
    found = instead("coup-1/exchange_keeps_order_written", 5, output="*~")
    [exchanged] = events(found, "cards_exchanged")
    assert (exchanged["hand"], exchanged["returned"]) == ("*~", "$^")
    assert sorted(exchanged["deck"]) == sorted("!^~$!^*$~" + "$^")
    [label] = {draw.label for step in found.steps for draw in step.draws}
    assert label == "call/3/shuffle"
    assert found.answer == {"output": b"*~", "appended": b"\n"}


def test_coup_a_forfeit_averted() -> None:
    """An answer in the place of a failure: the game goes on."""
    averted = {"crash_with_half_an_answer": 2, "nothing_appended": 4, "tampered_history": 3}
    for (name, seq), legal in zip(averted.items(), ("I\n", "I\n", "p"), strict=True):
        found = instead(f"coup-1/forfeit_by_{name}", seq, appended=legal)
        assert not events(found, "fault", "match_finished")
        assert found.end is None


def test_coins_taken_instead_of_none() -> None:
    """Three coins taken cost three points, and the next player's arguments show it."""
    found = instead("coins-1/more_is_asked_for_than_there_is", 2, output=" 111\n")
    [acted] = events(found, "acted")
    assert (acted["centre"], acted["unflipped"], acted["points"]) == (18, [0, 3], [0, -3])
    assert asked(found)[:2] == (0, "turn")
    assert isinstance(found.next_question, list)
    assert found.next_question[0].observation.args == ("1;0;18;1_-3_0_3;0_0_0_0",)


def test_coins_the_last_turn() -> None:
    """After the last answer comes the count: no question is left, and the result is another."""
    found = instead("coins-1/more_is_asked_for_than_there_is", 4, output="1FN")
    assert events(found, "counted") == [{"points": [3, 0]}]
    assert found.end is not None
    assert (found.end["scores"], found.end["winners"]) == ([3, 0], [0])
    assert found.recorded_end["scores"] == [0, 0]


def test_bank_heist_no_bet_no_heister() -> None:
    """A player without a bet is no heister, so only the other player is asked for an action."""
    found = instead("bank_heist-1/everybody_backs_out", 5, output="0")
    [closed] = events(found, "bets_closed")
    assert (closed["heisters"], closed["total"]) == (1, 1)
    assert asked(found)[:2] == (0, "action")


def test_bank_heist_a_bet_that_is_none() -> None:
    """`+5` is no run of digits: a fault, and a bet of 0 (BH-6)."""
    found = instead("bank_heist-1/everybody_backs_out", 3, output="+5")
    [fault] = events(found, "fault")
    assert (fault["kind"], fault["clause"], fault["penalty"]) == ("illegal", "BH-6", "bet 0")
    assert events(found, "bet") == [{"number": 0, "seat": 0, "bet": 0}]


def test_unique_another_choice_of_one_seat() -> None:
    """With 2, 2, 3, 4 the smallest unique number is that of seat 2; the next round is asked."""
    found = instead("smallest_unique-1/void_by_eleven", 1, seat=0, output="2")
    assert events(found, "round") == [{"round": 1, "choices": [2, 2, 3, 4], "winner": 2}]
    assert isinstance(found.next_question, JointAsk)
    assert found.next_question.observation.choices == [2, 2, 3, 4]


def test_unique_an_illegal_choice_voids_the_game() -> None:
    """Eleven in place of a legal choice: a fault, the others' choices on record, a void game."""
    found = instead("smallest_unique-1/void_by_eleven", 1, seat=1, output="11")
    assert [one["seat"] for one in events(found, "fault")] == [1]
    assert [one["seat"] for one in events(found, "answered")] == [0, 2, 3]
    assert found.end is not None
    assert found.end["reason"] == "void"


def test_unique_a_legal_choice_saves_the_round() -> None:
    """A legal choice in place of a fault, with the others' choices on record, is a round."""
    found = instead("smallest_unique-1/void_by_eleven", 4, output="1")
    assert events(found, "round") == [{"round": 2, "choices": [1, 2, 1, 4], "winner": 1}]


def test_unique_one_of_two_failures() -> None:
    """If one of two that failed had not, the other one still had."""
    found = instead("smallest_unique-1/void_by_two_that_fail_to_be_constructed", 1, output="1")
    assert [one["seat"] for one in events(found, "fault")] == [3]
    assert found.end is not None


def test_unique_what_is_not_on_record() -> None:
    """If a bot failed before the choice, no choice is recorded, so only bots can give them."""
    name = "void_by_a_timeout_in_an_update_before_a_crash_in_the_choice"
    path = HERE / f"smallest_unique-1/{name}.jsonl"
    log = read(path)
    [seq] = (n for n, event in enumerate(log.events) if event["type"] == "fault")
    with pytest.raises(ReplayError, match=r"are not on record\. Give --bots"):
        what_if(log, seq, {"output": b"1"})

    def live(asked: Question) -> Replies:
        return [4, 3, 2, 1]

    found = what_if(log, seq, {"output": b"9"}, asker=live)
    seat: Any = log.events[seq]["seat"]
    expected = [9 if one == seat else 4 - one for one in range(4)]
    assert events(found, "round")[0]["choices"] == expected


def test_unique_the_last_update() -> None:
    """There nothing is asked: had the bot come through it, the game would have counted."""
    found = instead("smallest_unique-1/void_after_the_last_round", 2, output="")
    assert found.end == {
        "type": "match_finished",
        "reason": "played",
        "scores": [1, 0, 0, 0],
        "winners": [0],
    }
    with pytest.raises(UsageError, match="expected an empty answer"):
        instead("smallest_unique-1/void_after_the_last_round", 2, output="3")


def test_unique_one_of_two_failures_in_the_last_update() -> None:
    """If one of two that failed there had not, the other one still had."""
    failed: dict[int, Reply] = {seat: Fault("crash", during="update") for seat in (0, 2)}
    log = parse(
        sealed(
            match_events(
                lambda ask: [1, 2, 3] if ask.legal else failed,
                game="smallest_unique",
                players=3,
                seats=3,
                rounds=1,
            )
        ),
        Path("log.jsonl"),
    )
    found = what_if(log, 2, {"output": b""})
    assert [one["seat"] for one in events(found, "fault")] == [2]
    assert found.end is not None
    assert found.end["reason"] == "void"


def test_bots_that_answer_otherwise_are_counted() -> None:
    """Events up to the answer stay as recorded; answers of live bots that differ are counted."""
    log = read(HERE / "coins-1/many_turns_at_random.jsonl")

    crash: list[Reply] = [Fault("crash")]

    def crashing(asked: Question) -> Replies:
        return crash

    last = [seq for seq, event in enumerate(log.events) if event["type"] == "answered"][-1]
    found = what_if(log, last, {"output": b"NNN"}, asker=crashing)
    answers = [event for event in log.events if event["type"] in HELD]
    assert found.compared == len(answers) - 1
    assert found.changed == found.compared
    first = found.steps[0].seq
    assert last == first

    log = read(HERE / "smallest_unique-1/void_by_eleven.jsonl")
    found = what_if(log, 1, {"output": b"2"}, 0, asker=lambda asked: [4, 2, 4, 4])
    assert (found.compared, found.changed) == (3, 1)


# --- What cannot be asked ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "seq", "seat", "error", "told"),
    [
        ("coup-1/exchange_keeps_order_written", 4, None, NoSuchEvent, "3 (answered, seat 1, resp"),
        ("coup-1/exchange_keeps_order_written", 0, None, NoSuchEvent, "2 (answered, seat 0, turn"),
        (
            "coup-1/exchange_keeps_order_written",
            18,
            None,
            NoSuchEvent,
            "16 (answered, seat 1, resp",
        ),
        ("coup-1/exchange_keeps_order_written", 999, None, NoSuchEvent, "found 999"),
        ("coup-1/exchange_keeps_order_written", 2, 1, UsageError, "of seat 0, not of seat 1"),
        ("smallest_unique-1/void_by_eleven", 1, None, UsageError, "of seats 0 to 3"),
        ("smallest_unique-1/void_by_eleven", 1, 4, UsageError, "a seat from 0 to 3, found 4"),
        ("smallest_unique-1/void_by_eleven", 0, 1, NoSuchEvent, "1 (round) and 2 (answered"),
    ],
)
def test_a_place_without_that_answer(
    name: str, seq: int, seat: int | None, error: type[Exception], told: str
) -> None:
    """An event that holds no answer, or not of that seat, is refused; the nearest are named."""
    with pytest.raises(error, match=re.escape(told)):
        instead(name, seq, seat, output="1")


def test_a_channel_that_a_bot_does_not_have() -> None:
    """A bot that prints its answer cannot have appended one; and there is a cap."""
    with pytest.raises(UsageError, match=r"expected the output .*appended"):
        instead("coins-1/many_turns_at_random", 2, appended="NNN")
    with pytest.raises(UsageError, match=f"at most {CAP} bytes, found {CAP + 1}"):
        instead("coins-1/many_turns_at_random", 2, output="N" * (CAP + 1))
    assert instead("coins-1/many_turns_at_random", 2, output="N" * CAP).steps
