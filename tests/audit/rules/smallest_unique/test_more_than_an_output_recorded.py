"""The rule ``smallest_unique/more_than_an_output_recorded``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("select")
    log.first("answered")["appended"] = "1"
    return log


def test_more_than_an_output_recorded() -> None:
    """A text appended to a file that there is not is found."""
    assert fired(_changed) == {"smallest_unique/more_than_an_output_recorded"}
