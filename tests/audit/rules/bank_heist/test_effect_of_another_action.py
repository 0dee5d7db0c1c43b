"""The rule ``bank_heist/effect_of_another_action``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(why="intel", what="winnings")
    log.event(why="intel", what="winnings")["why"] = "deposit"
    return log


def test_effect_of_another_action() -> None:
    """Winnings deposited by a player that acquired intel are a finding."""
    assert fired(_changed) == {"bank_heist/effect_of_another_action"}
