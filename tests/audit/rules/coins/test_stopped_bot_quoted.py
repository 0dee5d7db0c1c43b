"""The rule ``coins/stopped_bot_quoted``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_stopped_bot_quoted(tmp_path: Path) -> None:
    """The output of a bot that was stopped for its time is found."""
    log = busy()
    log.first("fault")["output"] = "3"
    assert fired(tmp_path, log) == {"coins/stopped_bot_quoted"}
