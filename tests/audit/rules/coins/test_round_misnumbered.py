"""The rule ``coins/round_misnumbered``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_round_misnumbered(tmp_path: Path) -> None:
    """A turn that bears the number of another round is found."""
    log = busy()
    log.first("acted")["round"] = 2
    assert fired(tmp_path, log) == {"coins/round_misnumbered"}
