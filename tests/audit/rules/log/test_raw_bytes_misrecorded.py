"""The rule ``log/raw_bytes_misrecorded``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, failing, fired
from tests.factories import answer


@doctored
def _changed() -> Doctored:
    log = failing(answer("X"))
    fault = log.first("fault")
    del fault["appended"]
    fault["appended_base64"] = "WA=="
    return log


def test_raw_bytes_misrecorded() -> None:
    """Text that is recorded as base64 is found."""
    assert fired(_changed) == {"log/raw_bytes_misrecorded"}
