"""The rule ``log/files_of_a_stage_miscounted``."""

from __future__ import annotations

from tests.audit.contests import doctored, event, fired

_ONE_TOO_FEW = doctored(lambda events: event(events, "stage_finished").update(files=6))
_ONE_TOO_MANY = doctored(lambda events: event(events, "stage_finished").update(files=8))


def test_files_of_a_stage_miscounted() -> None:
    """A stage whose end counts a file too many, or one too few, is found."""
    assert fired(_ONE_TOO_FEW) == {"log/files_of_a_stage_miscounted"}
    assert fired(_ONE_TOO_MANY) == {"log/files_of_a_stage_miscounted"}
