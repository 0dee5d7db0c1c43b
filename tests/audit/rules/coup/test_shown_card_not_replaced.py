"""The rule ``coup/shown_card_not_replaced``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_shown_card_not_replaced(tmp_path: Path) -> None:
    """A Duke that was shown and stayed is found."""
    log = turn("Tq\\$[_'<=0]\n")
    log.drop(log.after(log.turn[2], "card_replaced"))
    log.cut(log.turn[2])
    assert fired(tmp_path, log) == {"coup/shown_card_not_replaced"}
