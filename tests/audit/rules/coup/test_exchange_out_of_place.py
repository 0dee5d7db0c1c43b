"""The rule ``coup/exchange_out_of_place``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_exchange_out_of_place(tmp_path: Path) -> None:
    """An Exchange that did not take place is found."""
    log = turn("Ep\n")
    log.drop(log.after(log.turn[2], "cards_exchanged"))
    assert fired(tmp_path, log) == {"coup/exchange_out_of_place"}
