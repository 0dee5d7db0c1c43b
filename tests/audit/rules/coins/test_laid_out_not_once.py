"""The rule ``coins/laid_out_not_once``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    start = log.first("laid_out")
    log.insert(start, after=start)
    return log


def test_laid_out_not_once() -> None:
    """A game that is laid out twice is found."""
    assert fired(_changed) == {"coins/laid_out_not_once"}
