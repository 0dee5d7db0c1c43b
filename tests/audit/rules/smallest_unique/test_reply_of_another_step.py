"""The rule ``smallest_unique/reply_of_another_step``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_reply_of_another_step(tmp_path: Path) -> None:
    """A fault of a later step than the one that failed is found."""
    log = failed("update")
    log.after(log.after(log.first("fault"), "fault"), "fault")["ask"] = "select"
    assert fired(tmp_path, log) == {"smallest_unique/reply_of_another_step"}
