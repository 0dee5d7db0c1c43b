"""The rule ``smallest_unique/replies_out_of_order``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import failed


def test_replies_out_of_order(tmp_path: Path) -> None:
    """A fault that is on record twice is found."""
    log = failed("update")
    fault = log.first("fault")
    log.insert(fault, after=fault)
    assert fired(tmp_path, log) == {"smallest_unique/replies_out_of_order"}
