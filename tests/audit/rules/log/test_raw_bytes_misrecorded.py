"""The rule ``log/raw_bytes_misrecorded``."""

from __future__ import annotations

from functools import partial

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired, turn
from tests.factories import answer


def _coded(base64: str) -> Doctored:
    log = failing(answer("X"))
    fault = log.first("fault")
    del fault["appended"]
    fault["appended_base64"] = base64
    return log


@doctored
def _changed() -> Doctored:
    return _coded("WA==")


@doctored
def _accepted() -> Doctored:
    log = turn("I\n")
    call = log.turn[0]
    call |= {"output_base64": "WA==", "appended": call.pop("appended")}
    return log


@doctored
def _uncut() -> Doctored:
    log = failing(answer("X"))
    log.first("fault")["appended"] = "X" * 65_537
    return log


def _cut(appended: str, *channels: str) -> Doctored:
    log = failing(answer("X"))
    log.first("fault").update(appended=appended, cut=channels)
    return log


FULL = "X" * 65_536
CUTS = [
    doctored(partial(_cut, appended, *channels))
    for appended, *channels in (
        (FULL,),
        ("X", "appended"),
        ("X", "file"),
        (FULL, "appended", "appended"),
        (FULL, "appended", "history"),
    )
]


@doctored
def _empty_cut() -> Doctored:
    log = failing(answer("X"))
    log.first("fault")["cut"] = []
    return log


@doctored
def _both() -> Doctored:
    log = failing(answer("X"))
    log.first("fault")["appended_base64"] = "/w=="
    return log


@doctored
def _spare_bits() -> Doctored:
    return _coded("/x==")


def test_raw_bytes_misrecorded() -> None:
    """Text that is recorded as base64 is found, and text beside base64."""
    assert fired(_changed) == {"log/raw_bytes_misrecorded"}
    assert fired(_accepted) == {"log/raw_bytes_misrecorded"}
    assert fired(_both) == {"log/raw_bytes_misrecorded"}


def test_cuts() -> None:
    """A byte more than 64 KiB that was not cut is found, and a list of what was not cut."""
    assert fired(_uncut) == {"log/raw_bytes_misrecorded"}
    assert fired(_empty_cut) == {"log/raw_bytes_misrecorded"}
    assert all("log/raw_bytes_misrecorded" in fired(change) for change in CUTS)


def test_base64_of_another_spelling() -> None:
    """Base64 whose spare bits are not zero is found, although it decodes."""
    assert fired(_spare_bits) == {"log/raw_bytes_misrecorded"}


@doctored
def _cut_file() -> Doctored:
    return failing(Fault("tampered", {"file": b"X" * 65_537}))


@doctored
def _coded_file() -> Doctored:
    log = failing(Fault("tampered", {"file": b"X"}))
    fault = log.first("fault")
    del fault["file"]
    fault["file_base64"] = "WA=="
    return log


def test_a_file_that_a_bot_wrote_over_its_history() -> None:
    """It is no finding if it was cut, and one if it is text in base64."""
    assert fired(_cut_file) == set()
    assert fired(_coded_file) == {"log/raw_bytes_misrecorded"}
