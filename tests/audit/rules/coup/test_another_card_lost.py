"""The rule ``coup/another_card_lost``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("C=\n", lambda log: set(log.hand(log.turn[1], log.turn[1]["seat"])) == {"!", "*"})
    log.after(log.turn[1], "card_lost").update(card="*", hand="!")
    return log


def test_another_card_lost() -> None:
    """A lost card that is not the one given up is found."""
    assert fired(_changed) == {"coup/another_card_lost"}
