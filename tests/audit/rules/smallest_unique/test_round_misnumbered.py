"""The rule ``smallest_unique/round_misnumbered``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import played


def test_round_misnumbered(tmp_path: Path) -> None:
    """Two rounds of the same number are found."""
    log = played()
    log.events[2]["round"] = 1
    assert fired(tmp_path, log) == {"smallest_unique/round_misnumbered"}
