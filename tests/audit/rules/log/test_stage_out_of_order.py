"""The rule ``log/stage_out_of_order``."""

from __future__ import annotations

from pathlib import Path

import pytest

from schema.discovery import CONTEST
from tests import contests
from tests.audit.contests import event, found, found_in
from tests.contests import Events
from tests.corpus.honest import sealed_without_seed

RULE = "log/stage_out_of_order"


def _stage(events: Events, type: str, stage: int) -> int:
    return events.index(event(events, type, stage=stage))


def _swap(events: Events) -> None:
    start = _stage(events, "stage_started", 3)
    events[start], events[start + 1] = events[start + 1], events[start]


def _close(cup: Path) -> None:
    (cup / CONTEST).write_bytes(sealed_without_seed(contests.events(cup)))


def _seal_early(cup: Path) -> None:
    contests.rewrite(cup, contests.events(cup)[:-1])
    _close(cup)


@pytest.mark.parametrize("type", ["stage_started", "stage_finished"])
def test_stage_out_of_order(type: str) -> None:
    """A stage without its start or its end is found, and one with the number of another."""
    assert RULE in found(lambda events: events.pop(_stage(events, type, 2)))
    assert RULE in found(lambda events: event(events, type, stage=3).update(stage=4))


def test_stage_that_ends_before_it_starts() -> None:
    """A stage whose end is above its start is found."""
    assert found(_swap) == {RULE}


def test_seal_before_the_end_of_a_stage() -> None:
    """A contest sealed in the middle of a stage is found.

    One that is sealed after its stages is clean, and one whose stage still runs.
    """
    assert found_in(_seal_early) == {RULE}
    assert found_in(_close) == set()
    assert found(lambda events: events.pop()) == set()
