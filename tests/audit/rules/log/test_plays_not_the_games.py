"""The rule ``log/plays_not_the_games``."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

from tests import contests
from tests.audit.contests import doctored_folder, event, fired


def _cut(cup: Path, **fields: object) -> None:
    events = contests.events(cup)
    del events[events.index(event(events, "stage_finished", stage=1)) + 1 :]
    events[0].update(fields)
    contests.rewrite(cup, events)
    for stage in (2, 3):
        rmtree(cup / f"stages/{stage:04}")


_first_stage_only = doctored_folder(_cut)
_of_all = doctored_folder(lambda cup: _cut(cup, plays="tournaments"))


def test_plays_not_the_games() -> None:
    """A contest of Coup that plays whole tournaments is found, also before its second stage."""
    assert fired(_first_stage_only) == set()
    assert fired(_of_all) == {"log/plays_not_the_games"}
