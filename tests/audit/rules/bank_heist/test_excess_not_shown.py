"""The rule ``bank_heist/excess_not_shown``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist(type="fault", kind="crash", output="12")
    log.event(type="fault", kind="crash", output="12")["kind"] = "oversize"
    return log


def test_excess_not_shown() -> None:
    """A fault for its size with three bytes of output is found."""
    assert fired(_changed) == {"bank_heist/excess_not_shown"}
