"""The rule ``coup/given_up_card_kept``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("C[_'<=0]\n")
    log.drop(log.after(log.turn[1], "card_lost"))
    return log


def test_given_up_card_kept() -> None:
    """A card that was given up to a Coup and stayed is found."""
    assert fired(_changed) == {"coup/given_up_card_kept"}
