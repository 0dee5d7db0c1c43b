"""The rule ``coins/count_out_of_place``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.drop(log.first("counted"))
    return log


def test_count_out_of_place() -> None:
    """A game without a count is found."""
    assert fired(_changed) == {"coins/count_out_of_place"}
