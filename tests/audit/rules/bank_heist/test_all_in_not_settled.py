"""The rule ``bank_heist/all_in_not_settled``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="all_in")
    log.event(why="all_in")["after"] += 1
    return log


def test_all_in_not_settled() -> None:
    """A credit too much after going all in is found."""
    assert fired(_changed) == {
        "bank_heist/all_in_not_settled",
        "bank_heist/credits_at_the_end_misrecorded",
    }
