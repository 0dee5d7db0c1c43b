"""The rule ``bank_heist/moved_twice``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="guard", what="guards")
    log.double(log.event(why="guard", what="guards"))
    return log


def test_moved_twice() -> None:
    """A movement that is recorded twice is a finding."""
    assert fired(_changed) == {"bank_heist/moved_from_another_amount", "bank_heist/moved_twice"}
