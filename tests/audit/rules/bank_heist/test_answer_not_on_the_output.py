"""The rule ``bank_heist/answer_not_on_the_output``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="answered", ask="action")
    log.event(type="answered", ask="action")["appended"] = "finger"
    return log


def test_answer_not_on_the_output() -> None:
    """An answer that was appended to a file is found."""
    assert fired(_changed) == {"bank_heist/answer_not_on_the_output"}
