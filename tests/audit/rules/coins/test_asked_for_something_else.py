"""The rule ``coins/asked_for_something_else``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.first("answered")["ask"] = "move"
    return log


def test_asked_for_something_else() -> None:
    """A question that there is not is found."""
    assert fired(_changed) == {"coins/asked_for_something_else"}
