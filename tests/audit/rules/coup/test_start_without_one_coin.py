"""The rule ``coup/start_without_one_coin``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_start_without_one_coin(tmp_path: Path) -> None:
    """A player that starts with 2 coins is found."""
    log = turn(
        "Tq[_'<=0]\n",
        lambda log: len(log.turn) == 3 and log.turn[0]["seat"] == 0 and log.place(log.turn[0]) == 2,
    )
    log.first("dealt")["coins"] = [2, 1]
    assert fired(tmp_path, log) == {"coup/start_without_one_coin"}
