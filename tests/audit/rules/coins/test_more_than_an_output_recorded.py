"""The rule ``coins/more_than_an_output_recorded``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_more_than_an_output_recorded(tmp_path: Path) -> None:
    """A text appended to a file that there is not is found."""
    log = still()
    log.first("answered")["appended"] = "NNN"
    assert fired(tmp_path, log) == {"coins/more_than_an_output_recorded"}
