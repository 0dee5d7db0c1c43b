"""The rule ``coup/oversize_overlooked``."""

from __future__ import annotations

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired


@doctored
def _changed() -> Doctored:
    log = failing(Fault("oversize", {"output": b"", "appended": b"F" * 65_537}))
    log.first("fault")["kind"] = "illegal"
    return log


@doctored
def _tampered() -> Doctored:
    log = failing(Fault("oversize", {"output": b"F" * 65_537, "file": b"x"}))
    log.first("fault")["kind"] = "tampered"
    return log


@doctored
def _long_file() -> Doctored:
    return failing(Fault("tampered", {"output": b"", "file": b"x" * 65_537}))


def test_oversize_overlooked() -> None:
    """An answer beyond 64 KiB that was only called illegal is found."""
    assert fired(_changed) == {"coup/oversize_overlooked"}


def test_an_output_beside_a_changed_file() -> None:
    """An output beyond 64 KiB is found if only the change of the file was recorded."""
    assert fired(_tampered) == {"coup/oversize_overlooked"}


def test_a_changed_file_longer_than_a_log_keeps() -> None:
    """A changed file may have 64 KiB more than the history, so its cut proves nothing."""
    assert fired(_long_file) == set()
