"""The rule ``coup/given_up_card_kept``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_given_up_card_kept(tmp_path: Path) -> None:
    """A card that was given up to a Coup and stayed is found."""
    log = turn("C[_'<=0]\n")
    log.drop(log.after(log.turn[1], "card_lost"))
    assert fired(tmp_path, log) == {"coup/given_up_card_kept"}
