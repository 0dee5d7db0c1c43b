"""The rule ``coup/appending_called_tampering``."""

from __future__ import annotations

from pathlib import Path

from games.table import Fault
from tests.audit.doctoring import failing, fired


def test_appending_called_tampering(tmp_path: Path) -> None:
    """A file that begins with the history, recorded as tampered, is found."""
    log = failing(Fault("tampered", {"output": b"", "file": b"F"}))
    fault = log.first("fault")
    history = "".join(e["appended"] for e in log.events if e["type"] == "answered")
    fault["file"] = history + "F"
    assert fired(tmp_path, log) == {"coup/appending_called_tampering"}
