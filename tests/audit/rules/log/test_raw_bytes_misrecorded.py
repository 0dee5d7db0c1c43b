"""The rule ``log/raw_bytes_misrecorded``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, failing, fired
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
def _uncut() -> Doctored:
    log = failing(answer("X"))
    log.first("fault")["appended"] = "X" * 65_537
    return log


@doctored
def _empty_cut() -> Doctored:
    log = failing(answer("X"))
    log.first("fault")["cut"] = []
    return log


@doctored
def _spare_bits() -> Doctored:
    return _coded("/x==")


def test_raw_bytes_misrecorded() -> None:
    """Text that is recorded as base64 is found."""
    assert fired(_changed) == {"log/raw_bytes_misrecorded"}


def test_cuts() -> None:
    """A byte more than 64 KiB that was not cut is found, and an empty list of what was cut."""
    assert fired(_uncut) == {"log/raw_bytes_misrecorded"}
    assert fired(_empty_cut) == {"log/raw_bytes_misrecorded"}


def test_base64_of_another_spelling() -> None:
    """Base64 whose spare bits are not zero is found, although it decodes."""
    assert fired(_spare_bits) == {"log/raw_bytes_misrecorded"}
