"""The rule ``bank_heist/late_answer_quoted``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="fault", kind="crash", output="12")
    log.event(type="fault", kind="crash", output="12")["kind"] = "timeout"
    return log


@doctored
def _no_text() -> Heist:
    log = heist(type="fault", kind="timeout")
    log.event(type="fault", kind="timeout")["output_base64"] = "/w=="
    return log


def test_late_answer_quoted() -> None:
    """A timeout with an output is found, text or not."""
    assert fired(_changed) == {"bank_heist/late_answer_quoted"}
    assert fired(_no_text) == {"bank_heist/late_answer_quoted"}
