"""The rule ``log/raw_bytes_misrecorded``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import failing, fired
from tests.making import answer


def test_raw_bytes_misrecorded(tmp_path: Path) -> None:
    """Text that is recorded as base64 is found."""
    log = failing(answer("X"))
    fault = log.first("fault")
    del fault["appended"]
    fault["appended_base64"] = "WA=="
    assert fired(tmp_path, log) == {"log/raw_bytes_misrecorded"}
