"""The rule ``coins/ended_for_another_reason``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_ended_for_another_reason(tmp_path: Path) -> None:
    """An end for want of coins is found, when there were some."""
    log = busy()
    log.first("match_finished")["reason"] = "centre_empty"
    assert fired(tmp_path, log) == {"coins/ended_for_another_reason"}
