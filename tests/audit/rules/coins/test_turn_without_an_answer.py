"""The rule ``coins/turn_without_an_answer``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.drop(log.first("answered"))
    return log


def test_turn_without_an_answer() -> None:
    """A turn before which nobody was asked is found."""
    assert fired(_changed) == {"coins/turn_without_an_answer"}
