"""The rule ``bank_heist/finger_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="fingered")
    drawn = log.event(type="fingered")["drawn"]
    drawn.append(drawn[0])
    return log


def test_finger_not_from_the_dice() -> None:
    """A finger that drew a ninth seat is found."""
    assert fired(_changed) == {"bank_heist/finger_not_from_the_dice"}
