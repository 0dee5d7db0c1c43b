"""The rule ``bank_heist/staying_miscounted``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="heist_rolled")
    log.event(type="heist_rolled")["staying"] += 1
    return log


def test_staying_miscounted() -> None:
    """One too many staying is found."""
    assert fired(_changed) == {"bank_heist/staying_miscounted"}
