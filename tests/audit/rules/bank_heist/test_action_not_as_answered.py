"""The rule ``bank_heist/action_not_as_answered``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="answered", output="all in")
    log.event(type="answered", output="all in")["output"] = "ALL IN"
    return log


def test_action_not_as_answered() -> None:
    """An answer in capitals that had an effect is found."""
    assert fired(_changed) == {"bank_heist/action_not_as_answered"}
