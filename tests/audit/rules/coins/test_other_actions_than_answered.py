"""The rule ``coins/other_actions_than_answered``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_other_actions_than_answered(tmp_path: Path) -> None:
    """Actions that were not answered are found, although they come to the same."""
    log = still()
    log.first("answered")["output"] = "XYZ"
    assert fired(tmp_path, log) == {"coins/other_actions_than_answered"}
