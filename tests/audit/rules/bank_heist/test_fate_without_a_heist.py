"""The rule ``bank_heist/fate_without_a_heist``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, has, heist


@doctored
def _changed() -> Heist:
    log = heist(has("player_fates", "."))
    rolled = log.event(type="heist_rolled")
    rolled["player_fates"] = rolled["player_fates"].replace(".", "o", 1)
    return log


def test_fate_without_a_heist() -> None:
    """A fate of a player who did not bet is found."""
    assert fired(_changed) == {"bank_heist/fate_without_a_heist"}
