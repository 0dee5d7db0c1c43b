"""The rule ``bank_heist/exposed_not_as_drawn``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="fingered", exposed=[1])
    log.event(type="fingered")["exposed"] = []
    return log


def test_exposed_not_as_drawn() -> None:
    """A crosser that was drawn and not exposed is found."""
    assert fired(_changed) == {
        "bank_heist/exposed_not_as_drawn",
        "bank_heist/exposure_without_effect",
        "bank_heist/straights_not_robbed",
        "bank_heist/sums_not_of_the_crew",
        "bank_heist/wrong_finger_unpunished",
    }
