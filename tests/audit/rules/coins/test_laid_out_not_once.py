"""The rule ``coins/laid_out_not_once``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_laid_out_not_once(tmp_path: Path) -> None:
    """A game that is laid out twice is found."""
    log = still()
    start = log.first("laid_out")
    log.insert(start, after=start)
    assert fired(tmp_path, log) == {"coins/laid_out_not_once"}
