"""The rule ``bank_heist/game_without_a_part``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="shared_out", straight_share=0, crosser_share=0)
    log.drop(log.event(type="shared_out"))
    return log


def test_game_without_a_part() -> None:
    """A share-out that is missing is found."""
    assert fired(_changed) == {
        "bank_heist/game_without_a_part",
        "bank_heist/share_without_cross_not_paid",
    }
