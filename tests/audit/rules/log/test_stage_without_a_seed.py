"""The rule ``log/stage_without_a_seed``."""

from __future__ import annotations

from tests.audit.contests import doctored, fired

_THREE = doctored(lambda events: events[0].update(stages=3))
_TWO = doctored(lambda events: events[0].update(stages=2))


def test_stage_without_a_seed() -> None:
    """A third stage of a chain of two seeds is found, and not that of a chain of three."""
    assert fired(_THREE) == set()
    assert fired(_TWO) == {"log/stage_without_a_seed"}
