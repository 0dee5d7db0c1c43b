"""The rule ``coins/centre_does_not_add_up``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_centre_does_not_add_up(tmp_path: Path) -> None:
    """A coin too many in the centre is found."""
    log = busy()
    log.first("acted")["centre"] += 1
    assert fired(tmp_path, log) == {"coins/centre_does_not_add_up"}
