"""The rule ``coup/deal_not_from_the_dice``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_deal_not_from_the_dice(tmp_path: Path) -> None:
    """Two cards of the deck that changed places are found."""
    log = turn("I\n", lambda log: log.first("dealt")["deck"][0] != log.first("dealt")["deck"][1])
    dealt = log.first("dealt")
    dealt["deck"] = dealt["deck"][1] + dealt["deck"][0] + dealt["deck"][2:]
    assert fired(tmp_path, log) == {"coup/deal_not_from_the_dice"}
