"""The rule ``bank_heist/exposure_without_effect``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="exposed", what="salary")
    log.drop(log.event(why="exposed", what="salary"))
    return log


def test_exposure_without_effect() -> None:
    """An exposed crosser that kept its salary is found."""
    assert fired(_changed) == {"bank_heist/exposure_without_effect"}
