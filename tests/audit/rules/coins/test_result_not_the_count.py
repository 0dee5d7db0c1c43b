"""The rule ``coins/result_not_the_count``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.first("match_finished")["winners"] = [0, 1, 2]
    return log


def test_result_not_the_count() -> None:
    """A winner too many is found."""
    assert fired(_changed) == {"coins/result_not_the_count"}
