"""The rule ``coins/oversize_overlooked``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    fault = next(event for event in log.events if event.get("kind") == "oversize")
    fault["kind"] = "illegal"
    return log


@doctored
def _accepted() -> Doctored:
    log = still()
    log.first("answered").update(output="NNN".ljust(1 << 16), cut=["output"])
    return log


def test_oversize_overlooked() -> None:
    """An output beyond 64 KiB that was only called illegal is found, and one that was accepted."""
    assert fired(_changed) == {"coins/oversize_overlooked"}
    assert fired(_accepted) == {"coins/oversize_overlooked"}
