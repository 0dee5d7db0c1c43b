"""The rule ``bank_heist/moved_something_else``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="guard", what="guards")
    del log.event(why="guard", what="guards")["bank"]
    return log


def test_moved_something_else() -> None:
    """A guard at no bank is found."""
    assert fired(_changed) == {"bank_heist/moved_something_else"}
