"""The rule ``bank_heist/participants_miscounted``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist()
    log.event(type="game_started")["participants"] += 1
    return log


def test_participants_miscounted() -> None:
    """A participant too many is found."""
    assert fired(_changed) == {"bank_heist/participants_miscounted"}
