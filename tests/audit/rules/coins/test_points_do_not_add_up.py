"""The rule ``coins/points_do_not_add_up``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_points_do_not_add_up(tmp_path: Path) -> None:
    """A point too many is found."""
    log = busy()
    log.first("acted")["points"][0] += 1
    assert fired(tmp_path, log) == {"coins/points_do_not_add_up"}
