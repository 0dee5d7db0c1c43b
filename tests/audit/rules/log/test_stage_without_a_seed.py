"""The rule ``log/stage_without_a_seed``."""

from __future__ import annotations

from tests.audit.contests import found


def test_stage_without_a_seed() -> None:
    """A third stage of a chain of two seeds is found, and not that of a chain of three."""
    assert found(lambda events: events[0].update(stages=3)) == set()
    assert found(lambda events: events[0].update(stages=2)) == {"log/stage_without_a_seed"}
