"""The rule ``bank_heist/guard_without_effect``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="guard", what="probability")
    log.event(why="guard", what="probability")["after"] += 1
    return log


def test_guard_without_effect() -> None:
    """A guard that brings a billionth too much is found."""
    assert fired(_changed) == {"bank_heist/guard_without_effect"}
