"""The rule ``bank_heist/finger_out_of_place``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="fingered", exposed=[])
    log.drop(log.event(type="fingered"))
    return log


def test_finger_out_of_place() -> None:
    """A finger that succeeded and did not draw is found."""
    assert fired(_changed) == {"bank_heist/finger_out_of_place"}
