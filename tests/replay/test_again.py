"""Playing again: laws over all golden logs, with players that answer as recorded, or rubbish."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.table import Answer, JointAsk, Part, Reply
from replay.again import Again, again
from replay.decisions import decisions_of
from replay.driver import replies_by_part
from schema.bot_output import ANSWER_CHANNELS
from schema.reader import Log, read
from tests.golden.make import HERE
from tests.replay.test_whatif import as_recorded, each_golden_log


class Rubbish:
    """Players that give an illegal answer to each question."""

    def __init__(self, log: Log) -> None:
        self.seats = range(len(log.start["players"]))
        self.raw = dict.fromkeys(ANSWER_CHANNELS[log.card.protocol], b"\xff?")

    def __call__(self, question: Any) -> Any:
        """Return the same answer for everybody."""
        if isinstance(question, JointAsk):
            return {seat: Answer(self.raw) for seat in self.seats} if question.legal else None
        return [Answer(self.raw) for _ in question]


def with_players(log: Log, seat: int, answer: Any, present: set[int]) -> Again:
    """Return the match of ``log`` again, with ``answer`` at every seat that is ``present``."""

    def asker(question: Any) -> Mapping[Part, Reply]:
        replies = replies_by_part(question, answer(question))
        return {part: reply for part, reply in replies.items() if part.seat in present}

    return again(log, seat, log.start["players"][seat], asker, present)


@each_golden_log
def test_the_recorded_answers_lead_to_the_recorded_match(path: Path) -> None:
    """A bot that answers as recorded needs no other bot, at every seat."""
    log = read(path)
    for seat in {0, len(log.start["players"]) - 1}:
        result = with_players(log, seat, as_recorded(log), {seat})
        assert result.events == [*log.events[:-1]]
        assert (result.same, result.missing, result.departed) == (True, None, {})


@each_golden_log
def test_recorded_answers_count_up_to_the_first_other_question(path: Path) -> None:
    """Bots at the other seats change nothing before the question that stops a match without."""
    log = read(path)
    alone = with_players(log, 0, Rubbish(log), {0})
    together = with_players(log, 0, Rubbish(log), {*range(len(log.start["players"]))})
    assert together.missing is None
    assert together.events[: len(alone.events)] == alone.events
    assert alone.departed.items() <= together.departed.items()
    if alone.missing is None:
        assert alone.events == together.events
    else:
        assert alone.departed[alone.missing] == len(alone.events)


def test_another_answer_of_a_present_bot_does_not_count() -> None:
    """While the questions are the recorded ones, a bot's other answer is only counted."""
    log = read(HERE / "coins-1/many_turns_at_random.jsonl")
    recorded, rubbish = as_recorded(log), Rubbish(log)

    def answer(question: Any) -> Any:
        replies = zip(question, recorded(question), rubbish(question), strict=True)
        return [reply if ask.seat == 0 else other for ask, reply, other in replies]

    result = with_players(log, 0, answer, {*range(len(log.start["players"]))})
    assert result.same
    assert result.otherwise[1] == len([*decisions_of(log, 1)])
