"""The rule ``coins/played_past_the_end``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_played_past_the_end(tmp_path: Path) -> None:
    """A round after the last is found."""
    log = busy()
    log.events[0]["settings"]["rounds"] -= 1
    assert fired(tmp_path, log) == {"coins/played_past_the_end"}
