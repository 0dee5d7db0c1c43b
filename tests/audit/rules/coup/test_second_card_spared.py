"""The rule ``coup/second_card_spared``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, ending, fired


@doctored
def _changed() -> Doctored:
    log = ending("Asq[_'<=0]", lambda log: log.events[-2]["cause"] == "assassination")
    log.drop(log.events[-2])
    log.cut(log.events[-2])
    return log


def test_second_card_spared() -> None:
    """A card that a false Contessa kept is found."""
    assert fired(_changed) == {"coup/second_card_spared"}
