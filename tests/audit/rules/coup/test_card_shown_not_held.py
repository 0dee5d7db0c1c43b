"""The rule ``coup/card_shown_not_held``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_card_shown_not_held(tmp_path: Path) -> None:
    """A Duke that was shown and not held is found."""
    log = turn("Tq[_'<=]\n")
    log.turn[2]["appended"] = "$"
    log.cut(log.turn[2])
    assert fired(tmp_path, log) == {"coup/card_shown_not_held", "coup/shown_card_not_replaced"}
