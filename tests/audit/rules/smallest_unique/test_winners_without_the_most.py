"""The rule ``smallest_unique/winners_without_the_most``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, fired, played


@doctored
def _changed() -> Doctored:
    log = played()
    log.first("match_finished")["winners"] = [0, 1, 2, 3]
    return log


def test_winners_without_the_most() -> None:
    """A winner too many is found."""
    assert fired(_changed) == {"smallest_unique/winners_without_the_most"}
