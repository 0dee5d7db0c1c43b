"""The rule ``smallest_unique/rounds_not_as_many_as_set``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import played


def test_rounds_not_as_many_as_set(tmp_path: Path) -> None:
    """A round less than set is found."""
    log = played()
    log.events[0]["settings"]["rounds"] += 1
    assert fired(tmp_path, log) == {"smallest_unique/rounds_not_as_many_as_set"}
