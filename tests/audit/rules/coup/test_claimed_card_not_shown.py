"""The rule ``coup/claimed_card_not_shown``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_claimed_card_not_shown(tmp_path: Path) -> None:
    """A Duke that was held and not shown is found."""
    log = turn("Tq\\$[_'<=0]\n", lambda log: log.hand(log.turn[2], log.turn[2]["seat"]) != "$$")
    log.turn[2]["appended"] = "0\n"
    log.cut(log.turn[2])
    assert fired(tmp_path, log) == {"coup/claimed_card_not_shown", "coup/given_up_card_kept"}
