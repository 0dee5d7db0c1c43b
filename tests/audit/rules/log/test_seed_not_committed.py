"""The rule ``log/seed_not_committed``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_seed_not_committed(tmp_path: Path) -> None:
    """A commitment to another seed is found."""
    logs = contest()
    logs.events[0]["seed_commitment"] = "0" * 64
    assert fired(tmp_path, logs) == {"log/seed_not_committed"}
