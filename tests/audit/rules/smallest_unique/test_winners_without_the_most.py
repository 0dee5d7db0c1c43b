"""The rule ``smallest_unique/winners_without_the_most``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import played


def test_winners_without_the_most(tmp_path: Path) -> None:
    """A winner too many is found."""
    log = played()
    log.first("match_finished")["winners"] = [0, 1, 2, 3]
    assert fired(tmp_path, log) == {"smallest_unique/winners_without_the_most"}
