"""The rule ``smallest_unique/point_not_for_the_smallest_unique``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import played


def test_point_not_for_the_smallest_unique(tmp_path: Path) -> None:
    """A point for another seat is found."""
    log = played()
    first = log.first("round")
    first["winner"] = (first["winner"] + 1) % 4
    assert fired(tmp_path, log) == {"smallest_unique/point_not_for_the_smallest_unique"}
