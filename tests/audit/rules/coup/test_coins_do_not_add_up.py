"""The rule ``coup/coins_do_not_add_up``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Tp\n")
    log.after(log.turn[-1], "coins_moved")["coins"][log.turn[0]["seat"]] += 1
    return log


def test_coins_do_not_add_up() -> None:
    """A balance that is not the old one plus the change is found."""
    assert fired(_changed) == {"coup/coins_do_not_add_up"}
