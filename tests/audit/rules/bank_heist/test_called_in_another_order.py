"""The rule ``bank_heist/called_in_another_order``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist()
    first = log.place(log.game[1])
    calls = log.events[first : first + 4]
    log.events[first : first + 4] = calls[2:] + calls[:2]
    return log


def test_called_in_another_order() -> None:
    """Two players called in the wrong order are found."""
    assert fired(_changed) == {"bank_heist/called_in_another_order"}
