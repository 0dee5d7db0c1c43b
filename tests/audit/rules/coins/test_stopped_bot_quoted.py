"""The rule ``coins/stopped_bot_quoted``."""

from __future__ import annotations

from tests.audit.coin_games import busy, doctored, fired
from tests.audit.doctored_logs import Doctored


@doctored
def _changed() -> Doctored:
    log = busy()
    log.first("fault")["output"] = "3"
    return log


@doctored
def _no_text() -> Doctored:
    log = busy()
    log.first("fault")["output_base64"] = "/w=="
    return log


def test_stopped_bot_quoted() -> None:
    """The output of a bot that was stopped for its time is found, text or not."""
    assert fired(_changed) == {"coins/stopped_bot_quoted"}
    assert fired(_no_text) == {"coins/stopped_bot_quoted"}
