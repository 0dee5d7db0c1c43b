"""The rule ``log/seed_not_committed``."""

from __future__ import annotations

from tests.audit.contest import Contest, contest, doctored, fired


@doctored
def _changed() -> Contest:
    logs = contest()
    logs.events[0]["seed_commitment"] = "0" * 64
    return logs


def test_seed_not_committed() -> None:
    """A commitment to another seed is found."""
    assert fired(_changed) == {"log/seed_not_committed"}
