"""The rule ``coins/count_out_of_place``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_count_out_of_place(tmp_path: Path) -> None:
    """A game without a count is found."""
    log = busy()
    log.drop(log.first("counted"))
    assert fired(tmp_path, log) == {"coins/count_out_of_place"}
