"""The rule ``coup/exchange_out_of_place``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Ep\n")
    log.drop(log.after(log.turn[2], "cards_exchanged"))
    return log


def test_exchange_out_of_place() -> None:
    """An Exchange that did not take place is found."""
    assert fired(_changed) == {"coup/exchange_out_of_place"}
