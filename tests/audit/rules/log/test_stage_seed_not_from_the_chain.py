"""The rule ``log/stage_seed_not_from_the_chain``."""

from __future__ import annotations

from tests.audit.contests import event, found
from tests.contests import Events


def _change(events: Events) -> None:
    event(events, "stage_started", stage=2)["beacon"] = "drand 4712"


def _without(events: Events) -> None:
    del event(events, "stage_started", stage=2)["beacon"]


def test_stage_seed_not_from_the_chain() -> None:
    """A beacon that was changed or removed after the stage is found."""
    assert found(_change) == {"log/stage_seed_not_from_the_chain"}
    assert found(_without) == {"log/stage_seed_not_from_the_chain"}
