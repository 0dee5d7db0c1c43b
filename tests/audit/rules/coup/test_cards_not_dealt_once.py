"""The rule ``coup/cards_not_dealt_once``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_cards_not_dealt_once(tmp_path: Path) -> None:
    """A second deal is found."""
    log = turn("I\n")
    log.insert(log.first("dealt"), after=log.first("dealt"))
    assert fired(tmp_path, log) == {"coup/cards_not_dealt_once"}
