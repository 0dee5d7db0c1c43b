"""The rule ``bank_heist/legal_bet_called_illegal``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="fault", kind="illegal", output="+5")
    log.event(type="fault", kind="illegal", output="+5")["output"] = " 5\r\n"
    return log


def test_legal_bet_called_illegal() -> None:
    """A bet that was rejected for the white space around it is found."""
    assert fired(_changed) == {"bank_heist/legal_bet_called_illegal"}
