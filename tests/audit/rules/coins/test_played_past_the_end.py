"""The rule ``coins/played_past_the_end``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.events[0]["settings"]["rounds"] -= 1
    return log


@doctored
def _emptied() -> Doctored:
    log = busy()
    log.first("acted")["centre"] = 0
    return log


def test_played_past_the_end() -> None:
    """A round after the last is found."""
    assert fired(_changed) == {"coins/played_past_the_end"}


def test_played_on_without_coins_in_the_centre() -> None:
    """A turn after one that left the centre empty is found."""
    assert "coins/played_past_the_end" in fired(_emptied)
