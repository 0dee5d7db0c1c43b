"""The rule ``bank_heist/answer_not_on_the_output``."""

from __future__ import annotations

from typing import Any

import pytest

from tests.audit.bank_heists import Heist, doctored, fired, heist
from tests.audit.together import Change


def _with(channel: str, **fields: Any) -> Change:
    @doctored
    def change() -> Heist:
        log = heist(**fields)
        log.event(**fields)[channel] = "/w==" if channel.endswith("_base64") else "finger"
        return log

    return change


CHANGES = [
    *(_with(channel, type="answered", ask="action") for channel in ("appended", "appended_base64")),
    *(
        _with(channel, type="fault", kind="timeout")
        for channel in ("found", "appended", "appended_base64", "file", "file_base64")
    ),
]


@doctored
def _no_bet() -> Heist:
    log = heist(type="fault", kind="illegal")
    fault = log.event(type="fault", kind="illegal")
    del fault["output" if "output" in fault else "output_base64"]
    return log


@pytest.mark.parametrize("change", CHANGES)
def test_answer_not_on_the_output(change: Change) -> None:
    """Text of an answer, or of a bot that failed, elsewhere than on its output is found."""
    assert fired(change) == {"bank_heist/answer_not_on_the_output"}


def test_no_output() -> None:
    """An illegal bet that the log does not record is found."""
    assert fired(_no_bet) == {"bank_heist/answer_not_on_the_output"}
