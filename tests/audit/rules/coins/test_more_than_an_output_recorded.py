"""The rule ``coins/more_than_an_output_recorded``."""

from __future__ import annotations

import pytest

from tests.audit.coin_games import doctored, fired, still
from tests.audit.doctored_logs import Doctored
from tests.audit.together import Change


def _with(channel: str, **fields: str) -> Change:
    @doctored
    def change() -> Doctored:
        log = still()
        event = next(event for event in log.events if event | fields == event)
        event[channel] = "/w==" if channel.endswith("_base64") else "NNN"
        return log

    return change


CHANGES = [
    *(_with(channel, type="answered") for channel in ("appended", "appended_base64")),
    *(
        _with(channel, type="fault", kind="timeout")
        for channel in ("found", "appended", "appended_base64", "file", "file_base64")
    ),
]


@pytest.mark.parametrize("change", CHANGES)
def test_more_than_an_output_recorded(change: Change) -> None:
    """Text in a file that there is not is found, of an answer and of a bot that failed."""
    assert fired(change) == {"coins/more_than_an_output_recorded"}
