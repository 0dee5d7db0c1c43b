"""The rule ``bank_heist/wrong_finger_unpunished``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="false_finger", what="odds")
    log.drop(log.event(why="false_finger", what="odds"))
    return log


def test_wrong_finger_unpunished() -> None:
    """A wrong finger that kept its odds is found."""
    assert fired(_changed) == {"bank_heist/wrong_finger_unpunished"}
