"""The rule ``coins/more_than_an_output_recorded``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.first("answered")["appended"] = "NNN"
    return log


def test_more_than_an_output_recorded() -> None:
    """A text appended to a file that there is not is found."""
    assert fired(_changed) == {"coins/more_than_an_output_recorded"}
