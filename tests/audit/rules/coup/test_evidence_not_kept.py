"""The rule ``coup/evidence_not_kept``."""

from __future__ import annotations

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired, turn
from tests.factories import answer


@doctored
def _changed() -> Doctored:
    log = failing(answer("X"))
    del log.first("fault")["appended"]
    return log


@doctored
def _accepted() -> Doctored:
    log = turn("I\n")
    del log.turn[0]["output"]
    return log


@doctored
def _illegal() -> Doctored:
    log = failing(answer("X"))
    del log.first("fault")["output"]
    return log


@doctored
def _tampered() -> Doctored:
    log = failing(Fault("tampered", {"output": b"", "file": b"F"}))
    del log.first("fault")["file"]
    return log


@doctored
def _bytes() -> Doctored:
    log = failing(answer("X"))
    fault = log.first("fault")
    del fault["output"]
    fault |= {"output_base64": "/w==", "appended": fault.pop("appended")}
    return log


def test_evidence_not_kept() -> None:
    """An illegal answer or a changed file that is not in the log is found."""
    assert fired(_changed) == {"coup/evidence_not_kept"}
    assert fired(_tampered) == {"coup/evidence_not_kept"}


def test_output_that_is_no_text() -> None:
    """Bytes that are not UTF-8 are kept in Base64."""
    assert fired(_bytes) == set()


def test_output_not_kept() -> None:
    """An answer without its output is found, whether it was accepted or not."""
    assert fired(_accepted) == {"coup/evidence_not_kept"}
    assert fired(_illegal) == {"coup/evidence_not_kept"}
