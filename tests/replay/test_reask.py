"""A bot is called reproducible, and its recorded answer doubted, only after many askings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games.recorded import ANSWERS
from games.table import Answer, Fault, Part, Reply
from replay.driver import Question
from replay.reask import MAX_TIMES, AskerByPart, ReaskResult, reask
from replay.reask_render import reask_text
from schema.bot_output import from_fields
from schema.reader import Log, read
from tests.factories import write
from tests.golden.make import HERE
from tests.replay.log_factory import hex_seed, short

FAULTS = HERE / "coins-1" / "timeout_crash_and_oversize_count_as_nothing.jsonl"
"""A match of Coins whose bots fail in their first turns, and one again in its second."""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A short match of Coup."""
    return write(tmp_path / "log.jsonl", short(), hex_seed(848))


def asked(log: Path, said: Callable[[int], bytes]) -> ReaskResult:
    """Return the result of asking bots that answer ``said(n)`` in session number ``n``."""
    return asked_again(read(log), lambda session, seat, recorded: appended(said(session)))


def appended(text: bytes) -> Answer:
    """An answer of Coup."""
    return Answer({"output": b"", "appended": text})


def asked_again(log: Log, said: Callable[[int, int, Reply], Reply | None]) -> ReaskResult:
    """Return the result of asking bots that reply ``said(n, seat, recorded)`` in session ``n``.

    None is no reply: the bot was not asked.
    """
    sessions = iter(range(10 * MAX_TIMES))

    @contextmanager
    def session() -> Iterator[AskerByPart]:
        number, recorded = next(sessions), [iter(replies(log, seat)) for seat in (0, 1)]

        def ask(asked: Question) -> Mapping[Part, Reply]:
            assert isinstance(asked, list)
            given = {one.part: said(number, one.seat, next(recorded[one.seat])) for one in asked}
            return {part: reply for part, reply in given.items() if reply is not None}

        yield ask

    return reask(log, session, (0, 1))


def replies(log: Log, seat: int) -> list[Reply]:
    """The recorded replies of a seat."""
    events: list[Any] = [event for event in log.events if event["type"] in ANSWERS]
    return [
        Fault(event["kind"], from_fields(event))
        if event["type"] == "fault"
        else Answer(from_fields(event))
        for event in events
        if event["seat"] == seat
    ]


def test_a_bot_that_always_says_something_else_is_asked_twenty_times(log: Path) -> None:
    """Its answers are listed as other than recorded, which proves nothing about the log."""
    found = asked(log, lambda session: b"zzz")
    assert found.times == MAX_TIMES
    assert len(found.differences) == found.answers
    assert not found.not_reproducible
    told = reask_text(read(log), found)
    assert ":\n  recorded  player0 claims the Duke and asks for tax.\n            {" in told
    assert "20 times out of 20" in told
    assert "with a probability of 14 % or more appears in 20 runs" in told
    assert "No difference proves that the log was changed" in told


@pytest.mark.parametrize("session", [1, 2, 7, MAX_TIMES - 1])
def test_a_bot_that_contradicts_itself_once_is_not_accused(session: int, log: Path) -> None:
    """Whichever asking it is, the bot is not reproducible, and it is not asked further."""
    found = asked(log, lambda number: b"yyy" if number == session else b"zzz")
    assert found.differences == []
    assert {*found.not_reproducible} == {0, 1}
    assert found.times == session + 2 - session % 2


@pytest.mark.parametrize("runs", [(b"zzz", b"yyy"), (b"zzz", None), (None, b"zzz")])
def test_a_bot_that_answers_otherwise_in_another_run_is_not_accused(
    runs: tuple[bytes | None, bytes | None], log: Path
) -> None:
    """Not even if it repeats itself within each run; None stands for the recorded answers."""

    def said(session: int, seat: int, recorded: Reply) -> Reply:
        text = b"zzz" if seat == 0 else runs[session // 2 % 2]
        return recorded if text is None else appended(text)

    found = asked_again(read(log), said)
    assert {*found.not_reproducible} == {1}
    assert {change.seat for change in found.differences} == {0}


def test_one_contradiction_ends_the_doubt_about_all_other_answers(log: Path) -> None:
    """A bot that contradicts itself after a changed answer is neither accused nor asked again."""
    begun = set()

    def said(session: int, seat: int, recorded: Reply) -> Reply:
        first = (session, seat) not in begun
        begun.add((session, seat))
        return appended(b"zzz" if first else b"%d" % session)

    found = asked_again(read(log), said)
    assert (found.times, found.differences) == (2, [])
    assert {*found.not_reproducible} == {0, 1}


def test_a_fault_is_compared_by_its_kind() -> None:
    """A bot may write something else before it fails; another kind of fault is a difference."""

    def failing(kind: str | None) -> Callable[[int, int, Reply], Reply]:
        def said(session: int, seat: int, recorded: Reply) -> Reply:
            if isinstance(recorded, Fault):
                return Fault(kind or recorded.kind, {"output": b"%d" % session})
            return recorded

        return said

    assert asked_again(read(FAULTS), failing(None)).differences == []
    found = asked_again(read(FAULTS), failing("crash"))
    assert [change.recorded for change in found.differences] == [
        {"fault": "timeout"},
        {"fault": "oversize"},
    ]


def test_a_stream_bot_that_failed_is_not_compared_any_more() -> None:
    """The referee did not ask it either, because a stream bot ends with its fault."""
    log = read(FAULTS)
    stream = replace(log, card=log.card.model_copy(update={"protocol": "stream"}))
    ended = set()

    def said(session: int, seat: int, recorded: Reply) -> Reply | None:
        if (session, seat) in ended:
            return None
        ended.add((session, seat))
        return recorded

    found = asked_again(stream, said)
    assert (found.answers, found.differences, found.not_reproducible) == (2, [], {})
