"""A bot is called reproducible, and its recorded answer doubted, only after many askings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from games.table import Answer, Part, Reply
from replay.driver import Question
from replay.reask import MAX_TIMES, AskerByPart, ReaskResult, reask
from replay.reask_render import reask_text
from schema.reader import read
from tests.factories import write
from tests.replay.log_factory import hex_seed, short


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A short match of Coup."""
    return write(tmp_path / "log.jsonl", short(), hex_seed(848))


def asked(log: Path, said: Callable[[int], bytes]) -> ReaskResult:
    """Return the result of asking bots that answer ``said(n)`` in session number ``n``."""
    sessions = iter(range(10 * MAX_TIMES))

    @contextmanager
    def session() -> Iterator[AskerByPart]:
        text = said(next(sessions))

        def ask(asked: Question) -> Mapping[Part, Reply]:
            assert isinstance(asked, list)
            return {one.part: Answer({"output": b"", "appended": text}) for one in asked}

        yield ask

    return reask(read(log), session, (0, 1))


def test_a_bot_that_always_says_something_else_is_asked_twenty_times(log: Path) -> None:
    """Its answers are listed as other than recorded, which proves nothing about the log."""
    found = asked(log, lambda session: b"zzz")
    assert found.times == MAX_TIMES
    assert len(found.differences) == found.answers
    assert not found.not_reproducible
    told = reask_text(found)
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
