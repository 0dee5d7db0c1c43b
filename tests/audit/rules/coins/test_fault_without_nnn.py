"""The rule ``coins/fault_without_nnn``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.after(log.first("fault"), "acted")["actions"] = "XNN"
    return log


def test_fault_without_nnn() -> None:
    """A fault after which the player acted is found, although it had no effect."""
    assert fired(_changed) == {"coins/fault_without_nnn"}
