"""The rule ``coup/steal_from_the_penniless``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn(
        "[FET].*\n",
        lambda log: (
            log.coins(log.turn[0])[1 - log.turn[0]["seat"]] == 0
            and log.coins(log.turn[0])[log.turn[0]["seat"]] < 10
        ),
    )
    log.turn[0]["appended"] = "S"
    log.cut(log.turn[0])
    return log


def test_steal_from_the_penniless() -> None:
    """A Steal from an opponent without coins is found."""
    assert fired(_changed) == {"coup/steal_from_the_penniless"}
