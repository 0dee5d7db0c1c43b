"""The rule ``bank_heist/credits_at_the_end_misrecorded``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(lambda game: game[-1]["credits"][0] != max(game[-1]["credits"]))
    log.event(type="game_finished")["credits"][0] -= 1
    log.events[-1]["scores"][0] -= 1
    return log


def test_credits_at_the_end_misrecorded() -> None:
    """Credits at the end that are not those moved are found."""
    assert fired(_changed) == {"bank_heist/credits_at_the_end_misrecorded"}
