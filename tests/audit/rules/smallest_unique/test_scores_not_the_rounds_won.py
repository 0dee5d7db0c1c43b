"""The rule ``smallest_unique/scores_not_the_rounds_won``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("select")
    log.first("match_finished")["scores"][0] += 1
    return log


def test_scores_not_the_rounds_won() -> None:
    """A point too many is found."""
    assert fired(_changed) == {"smallest_unique/scores_not_the_rounds_won"}
