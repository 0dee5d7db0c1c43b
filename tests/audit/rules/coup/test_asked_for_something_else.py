"""The rule ``coup/asked_for_something_else``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Tp\n")
    log.turn[1]["ask"] = "block"
    return log


def test_asked_for_something_else() -> None:
    """A wrong name of the question is found."""
    assert fired(_changed) == {"coup/asked_for_something_else"}
