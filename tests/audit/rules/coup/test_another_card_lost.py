"""The rule ``coup/another_card_lost``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_another_card_lost(tmp_path: Path) -> None:
    """A lost card that is not the one given up is found."""
    log = turn("C=\n", lambda log: set(log.hand(log.turn[1], log.turn[1]["seat"])) == {"!", "*"})
    log.after(log.turn[1], "card_lost").update(card="*", hand="!")
    assert fired(tmp_path, log) == {"coup/another_card_lost"}
