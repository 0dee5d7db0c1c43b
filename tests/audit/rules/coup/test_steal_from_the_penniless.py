"""The rule ``coup/steal_from_the_penniless``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_steal_from_the_penniless(tmp_path: Path) -> None:
    """A Steal from an opponent without coins is found."""
    log = turn(
        "[FET].*\n",
        lambda log: (
            log.coins(log.turn[0])[1 - log.turn[0]["seat"]] == 0
            and log.coins(log.turn[0])[log.turn[0]["seat"]] < 10
        ),
    )
    log.turn[0]["appended"] = "S"
    log.cut(log.turn[0])
    assert fired(tmp_path, log) == {"coup/steal_from_the_penniless"}
