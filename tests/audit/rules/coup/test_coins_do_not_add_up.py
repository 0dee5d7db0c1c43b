"""The rule ``coup/coins_do_not_add_up``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_coins_do_not_add_up(tmp_path: Path) -> None:
    """A balance that is not the old one plus the change is found."""
    log = turn("Tp\n")
    log.after(log.turn[-1], "coins_moved")["coins"][log.turn[0]["seat"]] += 1
    assert fired(tmp_path, log) == {"coup/coins_do_not_add_up"}
