"""The rule ``bank_heist/asked_for_no_decision``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="answered", ask="action")
    log.event(type="answered", ask="action")["ask"] = "plea"
    return log


def test_asked_for_no_decision() -> None:
    """A question that there is not is found."""
    assert fired(_changed) == {
        "bank_heist/asked_for_no_decision",
        "bank_heist/heister_not_called_once",
    }
