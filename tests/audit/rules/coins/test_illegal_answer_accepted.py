"""The rule ``coins/illegal_answer_accepted``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.first("answered")["output"] = "NNNN"
    return log


@doctored
def _unrecorded() -> Doctored:
    log = still()
    del log.first("answered")["output"]
    return log


def test_illegal_answer_accepted() -> None:
    """An answer of four characters that was accepted is found."""
    assert fired(_changed) == {"coins/illegal_answer_accepted"}


def test_an_accepted_answer_that_is_not_recorded() -> None:
    """An accepted answer of which the log does not have the output is found."""
    assert fired(_unrecorded) == {"coins/illegal_answer_accepted"}
