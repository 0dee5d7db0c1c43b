"""The rule ``log/imported_among_the_played``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import contest, fired


def test_imported_among_the_played(tmp_path: Path) -> None:
    """A match that hides its seed as an imported one is found."""
    logs = contest()
    events = logs.matches["1-000000"]
    del events[0]["seed_commitment"]
    events[0]["source"] = "imported"
    logs.seeds["1-000000"] = ""
    logs.seal("1-000000")
    assert fired(tmp_path, logs) == {"log/imported_among_the_played"}
