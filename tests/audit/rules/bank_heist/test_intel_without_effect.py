"""The rule ``bank_heist/intel_without_effect``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="intel", what="odds")
    log.event(why="intel", what="odds")["after"] += 1
    return log


def test_intel_without_effect() -> None:
    """Odds that rose by a billionth too much are found."""
    assert fired(_changed) == {"bank_heist/intel_without_effect"}
