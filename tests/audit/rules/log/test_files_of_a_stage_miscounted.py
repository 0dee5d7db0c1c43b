"""The rule ``log/files_of_a_stage_miscounted``."""

from __future__ import annotations

from tests.audit.contests import event, found
from tests.contests import Events


def _count(events: Events, files: int) -> None:
    event(events, "stage_finished")["files"] = files


def test_files_of_a_stage_miscounted() -> None:
    """A stage whose end counts a file too many, or one too few, is found."""
    expected = {"log/files_of_a_stage_miscounted"}
    assert found(lambda events: _count(events, 6)) == expected
    assert found(lambda events: _count(events, 8)) == expected
