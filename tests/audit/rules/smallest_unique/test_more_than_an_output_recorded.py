"""The rule ``smallest_unique/more_than_an_output_recorded``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_more_than_an_output_recorded(tmp_path: Path) -> None:
    """A text appended to a file that there is not is found."""
    log = failed("select")
    log.first("answered")["appended"] = "1"
    assert fired(tmp_path, log) == {"smallest_unique/more_than_an_output_recorded"}
