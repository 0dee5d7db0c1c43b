"""The rule ``coup/oversize_without_excess``."""

from __future__ import annotations

from games.table import Fault
from tests.audit.doctored_logs import Doctored, doctored, failing, fired


@doctored
def _changed() -> Doctored:
    log = failing(Fault("oversize", {"output": b"x" * 65_537, "appended": b"F"}))
    fault = log.first("fault")
    fault["output"] = "x"
    del fault["cut"]
    return log


def test_oversize_without_excess() -> None:
    """A fault of size without anything cut is found."""
    assert fired(_changed) == {"coup/oversize_without_excess"}
