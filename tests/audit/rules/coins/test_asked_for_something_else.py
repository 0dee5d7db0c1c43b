"""The rule ``coins/asked_for_something_else``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_asked_for_something_else(tmp_path: Path) -> None:
    """A question that there is not is found."""
    log = busy()
    log.first("answered")["ask"] = "move"
    assert fired(tmp_path, log) == {"coins/asked_for_something_else"}
