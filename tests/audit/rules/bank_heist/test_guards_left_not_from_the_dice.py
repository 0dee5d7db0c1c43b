"""The rule ``bank_heist/guards_left_not_from_the_dice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="guard_left")
    for what in ("guards", "probability"):
        log.drop(log.event(why="guard_left", what=what))
    return log


def test_guards_left_not_from_the_dice() -> None:
    """A guard that was not paid and stayed is found."""
    assert fired(_changed) == {
        "bank_heist/guards_left_not_from_the_dice",
        "bank_heist/moved_from_another_amount",
    }
