"""The rule ``smallest_unique/more_than_an_output_recorded``."""

from __future__ import annotations

from functools import partial

from tests.audit.doctored_logs import Doctored
from tests.audit.together import Change
from tests.audit.unique_games import doctored, failed, fired


def _with(step: str, type: str, **fields: str) -> Doctored:
    log = failed(step)
    log.before(log.events[-1], type).update(fields)
    return log


CHANGES: list[Change] = [
    doctored(partial(_with, step, type, **{field: text}))
    for step, type, field, text in (
        ("select", "answered", "appended", "1"),
        ("select", "answered", "appended_base64", "/w=="),
        ("construct", "fault", "appended", "1"),
        ("construct", "fault", "appended_base64", "/w=="),
        ("construct", "fault", "file", "1"),
        ("construct", "fault", "file_base64", "/w=="),
        ("construct", "fault", "found", "a link"),
    )
]


@doctored
def _late_text() -> Doctored:
    log = failed("select")
    log.first("fault")["kind"] = "timeout"
    return log


@doctored
def _late_bytes() -> Doctored:
    return _with("select", "fault", kind="timeout")


def test_more_than_an_output_recorded() -> None:
    """A text appended to a file that there is not is found, and the output before a timeout."""
    for change in (*CHANGES, _late_text, _late_bytes):
        assert fired(change) == {"smallest_unique/more_than_an_output_recorded"}
