"""Class bots that failed in a match that goes on: alone, in a batch, and as Python classes."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from games.table import ClassCall, Fault, JointAsk
from referee.bot import Bot
from referee.processes.processor_time import number_of
from referee.protocols import class_
from referee.protocols.base import Seating
from referee.protocols.class_process import BotProcess
from referee.roster.functions import function_bot
from referee.self_contained.proof import shares_nothing
from tests.factories import SEED
from tests.referee.bot_factory import class_bot

FIRST = JointAsk("select", ClassCall(None), ("1", "2"))
LATER = FIRST._replace(observation=ClassCall([7, 7]))
"""A question whose observation is none of the bots' choices."""
QUESTIONS = [FIRST, LATER, LATER, LATER]

BREAKS = {
    "select": ({"select": "return [1][self.index] if self.round == 2 else 1"}, 1),
    "update": ({"update": "self.seen = [1][self.index]"}, 1),
    "construct": ({"init": "self.first = [1][index]"}, 0),
}
"""By step: the methods of a bot that fails there at seat 1, and the question that it fails at."""


class Fragile:
    """Fails to be constructed at seat 1, as a Python class."""

    def __init__(self, index: int) -> None:
        self.first = [1][index]

    def select(self) -> int:
        """Choose 1."""
        return 1

    def update(self, choices: list[int]) -> None:
        """Ignore the choices."""


def seating(*bots: Bot) -> Seating:
    """Return a match of some bots."""
    return Seating(list(bots), SEED, "none", 5)


def calm(folder: Path) -> Bot:
    """Return a bot without faults."""
    return class_bot(folder, "calm", select="return 2")


def replies_at_seat_1(reactions: list[Any]) -> list[tuple[object, object]]:
    """Return the reply of seat 1 to each question, and whether it was not asked."""
    return [
        (
            replies[1].during if isinstance(replies, Mapping) else replies[1],
            any("ended_earlier" in note for note in notes if note["seat"] == 1),
        )
        for replies, notes in reactions
    ]


@pytest.mark.parametrize("step", BREAKS)
def test_a_bot_that_failed_in_a_batch_is_asked_no_more(step: str, tmp_path: Path) -> None:
    """A bot fails in the same steps in a process for many matches as in one of its own."""
    methods, number = BREAKS[step]
    villain = class_bot(tmp_path, "villain", head="import os", **methods)
    assert shares_nothing(villain)
    with class_.open_session(seating(calm(tmp_path), villain)) as ask:
        alone = [ask(question) for question in QUESTIONS]
    matches = [seating(calm(tmp_path), villain), seating(villain, calm(tmp_path))]
    with class_.open_batch(matches) as batch:
        both = [batch.ask(dict.fromkeys((0, 1), question)) for question in QUESTIONS]
    assert replies_at_seat_1([reactions[0] for reactions in both]) == replies_at_seat_1(alone)
    then = "update" if step == "construct" else step
    fails = [(step, False), *[(then, True)] * 3][: len(QUESTIONS) - number]
    assert replies_at_seat_1(alone) == [(1, False)] * number + fails
    assert [reactions[1][0] for reactions in both] == [[1, 2]] * 4


def test_a_python_class_fails_as_a_file_does(tmp_path: Path) -> None:
    """A class in the referee's process that cannot be constructed fails at the update later."""
    with class_.open_session(seating(calm(tmp_path), function_bot(Fragile))) as ask:
        reactions = [ask(question) for question in QUESTIONS]
    fails = [("construct", False), *[("update", True)] * 3]
    assert replies_at_seat_1(reactions) == fails


def test_an_observation_of_other_numbers_accuses_no_bot(tmp_path: Path) -> None:
    """After a lost process, a bot's new answers are compared with its earlier ones.

    The observation may hold other numbers, such as -1 for a seat that is out.
    """
    select = "return [2, 1, 1, [1][self.index], 2, 1][self.round]"
    steady = class_bot(tmp_path, "steady", head="import os", select=select)
    assert shares_nothing(steady)
    matches = [seating(calm(tmp_path), steady), seating(steady, calm(tmp_path))]
    with class_.open_batch(matches) as batch:
        for question in QUESTIONS:
            batch.ask(dict.fromkeys((0, 1), question))
        [shared] = [hosted.process for hosted in batch.hosted if hosted.bot is steady]
        assert isinstance(shared, BotProcess)
        os.kill(number_of(shared.exited), signal.SIGKILL)
        assert batch.ask({0: LATER, 1: LATER}) == {}
        reactions = [batch.ask({match: LATER})[match] for match in (0, 1)]
    for _, notes in reactions:
        resumed = [note for note in notes if "resumed_after" in note]
        assert [note["resumed_after"] for note in resumed] == [4]
        assert not any("answered_otherwise" in note for note in resumed)
    failed, unharmed = (replies for replies, _ in reactions)
    assert isinstance(failed, Mapping)
    assert failed[1] == Fault("crash", during="select")
    assert unharmed == [1, 2]
