"""The rule ``bank_heist/excess_overlooked``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="fault", ask="action", kind="oversize")
    fault = log.event(type="fault", ask="action", kind="oversize")
    for key in ("kind", "clause", "penalty"):
        del fault[key]
    fault["type"] = "answered"
    return log


@doctored
def _crashed() -> Heist:
    log = heist(type="fault", ask="action", kind="oversize")
    log.event(type="fault", ask="action", kind="oversize")["kind"] = "crash"
    return log


def test_excess_overlooked() -> None:
    """A cut answer that was not called oversize is found."""
    assert fired(_changed) == {"bank_heist/excess_overlooked"}


def test_a_crash_after_a_long_answer() -> None:
    """A bot that crashed may have printed more than the log keeps."""
    assert fired(_crashed) == set()
