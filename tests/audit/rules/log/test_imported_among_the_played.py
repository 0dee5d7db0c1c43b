"""The rule ``log/imported_among_the_played``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.contest import Contest, contest, doctored, fired, sealed
from tests.audit.together import findings_of


@doctored
def _changed() -> Contest:
    logs = contest()
    events = logs.matches["1-000000"]
    del events[0]["seed_commitment"]
    events[0]["source"] = "imported"
    logs.seeds["1-000000"] = ""
    logs.seal("1-000000")
    return logs


def test_imported_among_the_played() -> None:
    """A match that hides its seed as an imported one is found."""
    assert fired(_changed) == {"log/imported_among_the_played"}


def test_played_among_the_imported(tmp_path: Path) -> None:
    """Matches with seeds are found in a tournament that says that it is imported."""
    logs = contest()
    logs.write(tmp_path)
    del logs.events[0]["seed_commitment"]
    logs.events[0]["source"] = "imported"
    (tmp_path / "tournament.jsonl").write_bytes(sealed(logs.events, ""))
    assert findings_of("log/imported_among_the_played", tmp_path)
