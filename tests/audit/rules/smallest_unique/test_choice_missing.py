"""The rule ``smallest_unique/choice_missing``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import played


def test_choice_missing(tmp_path: Path) -> None:
    """A round in which a seat did not choose is found."""
    log = played()
    log.first("round")["choices"].append(10)
    assert fired(tmp_path, log) == {"smallest_unique/choice_missing"}
