"""The rule ``coup/card_lost_for_another_cause``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_card_lost_for_another_cause(tmp_path: Path) -> None:
    """A card lost to a Coup that the log says was a false claim is found."""
    log = turn("C[_'<=0]\n")
    log.after(log.turn[1], "card_lost")["cause"] = "false_claim"
    assert fired(tmp_path, log) == {"coup/card_lost_for_another_cause"}
