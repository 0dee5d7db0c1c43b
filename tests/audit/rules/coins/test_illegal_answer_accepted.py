"""The rule ``coins/illegal_answer_accepted``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.coin_games import still
from tests.audit.doctoring import fired


def test_illegal_answer_accepted(tmp_path: Path) -> None:
    """An answer of four characters that was accepted is found."""
    log = still()
    log.first("answered")["output"] = "NNNN"
    assert fired(tmp_path, log) == {"coins/illegal_answer_accepted"}
