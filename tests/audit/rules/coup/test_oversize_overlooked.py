"""The rule ``coup/oversize_overlooked``."""

from __future__ import annotations

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired


@doctored
def _changed() -> Doctored:
    log = failing(Fault("oversize", {"output": b"", "appended": b"F" * 65_537}))
    log.first("fault")["kind"] = "illegal"
    return log


def test_oversize_overlooked() -> None:
    """An answer beyond 64 KiB that was only called illegal is found."""
    assert fired(_changed) == {"coup/oversize_overlooked"}
