"""The rule ``coup/appending_called_tampering``."""

from __future__ import annotations

from base64 import b64encode

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired, with_player


@doctored
def _changed() -> Doctored:
    log = failing(Fault("tampered", {"output": b"", "file": b"F"}))
    fault = log.first("fault")
    history = "".join(e["appended"] for e in log.events if e["type"] == "answered")
    fault["file"] = history + "F"
    return log


@doctored
def _bytes() -> Doctored:
    log = _changed()
    fault = log.first("fault")
    fault["file_base64"] = b64encode(fault.pop("file").encode() + b"\xff").decode()
    return log


@doctored
def _at_once() -> Doctored:
    return with_player(lambda ask: Fault("tampered", {"output": b"", "file": b"F"}))


def test_appending_called_tampering() -> None:
    """A file that begins with the history, recorded as tampered, is found, text or not."""
    assert fired(_changed) == {"coup/appending_called_tampering"}
    assert fired(_bytes) == {"coup/appending_called_tampering"}


def test_appending_to_an_empty_history() -> None:
    """Every file begins with the empty history of the first call."""
    assert fired(_at_once) == {"coup/appending_called_tampering"}
