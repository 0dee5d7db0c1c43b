"""The rule ``coup/oversize_without_excess``."""

from __future__ import annotations

from pathlib import Path

from games.table import Fault
from tests.audit.doctoring import failing, fired


def test_oversize_without_excess(tmp_path: Path) -> None:
    """A fault of size without anything cut is found."""
    log = failing(Fault("oversize", {"output": b"x" * 65_537, "appended": b"F"}))
    fault = log.first("fault")
    fault["output"] = "x"
    del fault["cut"]
    assert fired(tmp_path, log) == {"coup/oversize_without_excess"}
