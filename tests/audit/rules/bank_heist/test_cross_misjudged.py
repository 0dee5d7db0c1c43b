"""The rule ``bank_heist/cross_misjudged``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="cross_judged", succeeded=0)
    log.event(type="cross_judged")["crossers"] -= 1
    return log


def test_cross_misjudged() -> None:
    """A cross that was judged by one crosser too few is found."""
    assert fired(_changed) == {"bank_heist/cross_misjudged"}
