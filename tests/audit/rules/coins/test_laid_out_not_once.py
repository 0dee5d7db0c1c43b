"""The rule ``coins/laid_out_not_once``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _twice() -> Doctored:
    log = still()
    start = log.first("laid_out")
    log.insert(start, after=start)
    return log


@doctored
def _never() -> Doctored:
    log = still()
    log.drop(log.first("laid_out"))
    return log


def test_laid_out_not_once() -> None:
    """A game that is laid out twice, or never, is found."""
    assert fired(_twice) == {"coins/laid_out_not_once"}
    assert "coins/laid_out_not_once" in fired(_never)
