"""The rule ``coup/oversize_overlooked``."""

from __future__ import annotations

from pathlib import Path

from games.table import Fault
from tests.audit.doctoring import failing, fired


def test_oversize_overlooked(tmp_path: Path) -> None:
    """An answer beyond 64 KiB that was only called illegal is found."""
    log = failing(Fault("oversize", {"output": b"", "appended": b"F" * 65_537}))
    log.first("fault")["kind"] = "illegal"
    assert fired(tmp_path, log) == {"coup/oversize_overlooked"}
