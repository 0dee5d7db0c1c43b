"""The rule ``bank_heist/answer_not_on_the_output``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="answered", ask="action")
    log.event(type="answered", ask="action")["appended"] = "finger"
    return log


@doctored
def _failed() -> Heist:
    log = heist(type="fault", kind="crash")
    log.event(type="fault", kind="crash")["file"] = "finger"
    return log


@doctored
def _no_bet() -> Heist:
    log = heist(type="fault", kind="illegal")
    fault = log.event(type="fault", kind="illegal")
    del fault["output" if "output" in fault else "output_base64"]
    return log


def test_answer_not_on_the_output() -> None:
    """An answer that was appended to a file is found, and a file of a bot that failed."""
    assert fired(_changed) == {"bank_heist/answer_not_on_the_output"}
    assert fired(_failed) == {"bank_heist/answer_not_on_the_output"}


def test_no_output() -> None:
    """An illegal bet that the log does not record is found."""
    assert fired(_no_bet) == {"bank_heist/answer_not_on_the_output"}
