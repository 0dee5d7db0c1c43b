"""The rule ``log/imported_among_the_played``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


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
