"""The rule ``coins/played_past_the_end``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.events[0]["settings"]["rounds"] -= 1
    return log


def test_played_past_the_end() -> None:
    """A round after the last is found."""
    assert fired(_changed) == {"coins/played_past_the_end"}
