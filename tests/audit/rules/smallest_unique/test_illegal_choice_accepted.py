"""The rule ``smallest_unique/illegal_choice_accepted``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored
from tests.audit.unique_games import doctored, failed, fired


@doctored
def _changed() -> Doctored:
    log = failed("select")
    log.first("answered")["output"] = "11"
    return log


@doctored
def _no_text() -> Doctored:
    log = failed("select")
    choice = log.first("answered")
    del choice["output"]
    choice["output_base64"] = "/w=="
    return log


def test_illegal_choice_accepted() -> None:
    """A choice of 11 that was accepted is found, and one that is no text."""
    assert fired(_changed) == {"smallest_unique/illegal_choice_accepted"}
    assert fired(_no_text) == {"smallest_unique/illegal_choice_accepted"}
