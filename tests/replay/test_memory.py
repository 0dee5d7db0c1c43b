"""Showing one event of a match, or one after another, does not keep all of them."""

from __future__ import annotations

import random
import tracemalloc
from collections import deque
from collections.abc import Callable
from unittest.mock import patch

import pytest

from replay import diff, seat_view
from replay.again import Again
from replay.decisions import decisions
from replay.explain import explain
from replay.state import last, state_at
from replay.timeline import Course
from schema import scan
from tests.factories import SEED, at_random, match_events
from tests.replay.log_factory import log_of

ROUNDS = 4_500
EVENTS = match_events(
    at_random(random.Random(1)), SEED, "smallest_unique", players=10, rounds=ROUNDS
)
LOG = log_of(EVENTS, SEED)
with patch.multiple(scan, HELD_BYTES=0, BLOCK_BYTES=1 << 12):
    ON_DISK = log_of(EVENTS, SEED)

WORKS: dict[str, Callable[[], object]] = {
    "explain": lambda: explain(LOG, last(LOG)),
    "replay": lambda: state_at(LOG),
    "seat view": lambda: seat_view.seat_view(LOG, 3, lambda question: question.seq == 1),
    "course": lambda: deque(Course(LOG), maxlen=0),
    "decisions": lambda: deque(decisions(LOG), maxlen=0),
    "diff": lambda: diff.compare((LOG, LOG), ("one", "other"), LOG),
    "again": lambda: Again(ON_DISK, 0, [*EVENTS[:-1]]).difference,
}


@pytest.mark.parametrize("work", WORKS)
def test_memory_does_not_grow_with_the_match(work: str) -> None:
    """The peak is far below the 100 bytes per event that a list of new objects would take."""
    WORKS[work]()
    tracemalloc.start()
    WORKS[work]()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50 * ROUNDS
