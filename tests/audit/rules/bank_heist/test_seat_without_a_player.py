"""The rule ``bank_heist/seat_without_a_player``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="bet", bet=0)
    log.double(log.event(type="bet", bet=0))["seat"] = 6
    return log


def test_seat_without_a_player() -> None:
    """A bet of a seventh of six players is found."""
    assert fired(_changed) == {"bank_heist/seat_without_a_player"}
