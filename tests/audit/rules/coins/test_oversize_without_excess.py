"""The rule ``coins/oversize_without_excess``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    del next(event for event in log.events if event.get("kind") == "oversize")["cut"]
    return log


def test_oversize_without_excess() -> None:
    """An output said to be too long, and not cut, is found."""
    assert fired(_changed) == {"coins/oversize_without_excess"}
