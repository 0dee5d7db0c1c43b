"""The rule ``coins/other_actions_than_answered``."""

from __future__ import annotations

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = still()
    log.first("answered")["output"] = "XYZ"
    return log


def test_other_actions_than_answered() -> None:
    """Actions that were not answered are found, although they come to the same."""
    assert fired(_changed) == {"coins/other_actions_than_answered"}
