"""The rule ``coins/result_not_the_count``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import busy
from tests.audit.doctoring import fired


def test_result_not_the_count(tmp_path: Path) -> None:
    """A winner too many is found."""
    log = busy()
    log.first("match_finished")["winners"] = [0, 1, 2]
    assert fired(tmp_path, log) == {"coins/result_not_the_count"}
