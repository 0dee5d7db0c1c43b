"""The rule ``coins/broken_off``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.events[0]["settings"]["rounds"] += 1
    return log


def test_broken_off() -> None:
    """A game that ends a round too early is found."""
    assert fired(_changed) == {"coins/broken_off"}
