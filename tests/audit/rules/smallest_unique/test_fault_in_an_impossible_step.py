"""The rule ``smallest_unique/fault_in_an_impossible_step``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_fault_in_an_impossible_step(tmp_path: Path) -> None:
    """A fault in the construction after a round is found."""
    log = failed("update")
    for event in log.events:
        if event["type"] == "fault":
            event["ask"] = "construct"
    assert fired(tmp_path, log) == {"smallest_unique/fault_in_an_impossible_step"}
