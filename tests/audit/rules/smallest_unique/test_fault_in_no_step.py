"""The rule ``smallest_unique/fault_in_no_step``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_fault_in_no_step(tmp_path: Path) -> None:
    """A fault in something that a bot is not asked for is found."""
    log = failed("construct")
    for event in log.events:
        if event["type"] == "fault":
            event["ask"] = "import"
    assert fired(tmp_path, log) == {
        "smallest_unique/fault_in_no_step",
        "smallest_unique/reply_of_another_step",
    }
