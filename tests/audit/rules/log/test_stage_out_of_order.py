"""The rule ``log/stage_out_of_order``."""

from __future__ import annotations

from pathlib import Path

import pytest

from schema.discovery import CONTEST
from tests import contests
from tests.audit.contests import doctored, doctored_folder, event, fired
from tests.audit.together import Change
from tests.contests import Events
from tests.corpus.honest import sealed_without_seed

RULE = "log/stage_out_of_order"
TYPES = ("stage_started", "stage_finished")


def _without(type: str) -> Change:
    return doctored(lambda events: events.remove(event(events, type, stage=2)))


def _as_another(type: str) -> Change:
    return doctored(lambda events: event(events, type, stage=3).update(stage=4))


_WITHOUT = {type: _without(type) for type in TYPES}
_AS_ANOTHER = {type: _as_another(type) for type in TYPES}


@pytest.mark.parametrize("type", TYPES)
def test_stage_out_of_order(type: str) -> None:
    """A stage without its start or its end is found, and one with the number of another."""
    assert RULE in fired(_WITHOUT[type])
    assert RULE in fired(_AS_ANOTHER[type])


@doctored
def _swapped(events: Events) -> None:
    start = events.index(event(events, "stage_started", stage=3))
    events[start], events[start + 1] = events[start + 1], events[start]


def test_stage_that_ends_before_it_starts() -> None:
    """A stage whose end is above its start is found."""
    assert fired(_swapped) == {RULE}


def _close(cup: Path) -> None:
    (cup / CONTEST).write_bytes(sealed_without_seed(contests.events(cup)))


@doctored_folder
def _sealed_early(cup: Path) -> None:
    contests.rewrite(cup, contests.events(cup)[:-1])
    _close(cup)


_SEALED = doctored_folder(_close)
_RUNNING = doctored(lambda events: events.pop())


def test_seal_before_the_end_of_a_stage() -> None:
    """A contest sealed in the middle of a stage is found.

    One that is sealed after its stages is clean, and one whose stage still runs.
    """
    assert fired(_sealed_early) == {RULE}
    assert fired(_SEALED) == set()
    assert fired(_RUNNING) == set()
