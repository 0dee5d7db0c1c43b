"""The rule ``coins/piles_do_not_add_up``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_piles_do_not_add_up(tmp_path: Path) -> None:
    """A coin too many in a pile is found."""
    log = still()
    log.first("acted")["flipped"][1] = 1
    assert fired(tmp_path, log) == {"coins/piles_do_not_add_up"}
