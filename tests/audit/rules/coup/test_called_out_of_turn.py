"""The rule ``coup/called_out_of_turn``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("I\n")
    log.turn[0]["seat"] = 1 - log.turn[0]["seat"]
    return log


def test_called_out_of_turn() -> None:
    """An answer under the other seat is found."""
    assert fired(_changed) == {"coup/called_out_of_turn"}
