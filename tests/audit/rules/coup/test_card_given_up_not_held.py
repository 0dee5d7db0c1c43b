"""The rule ``coup/card_given_up_not_held``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_card_given_up_not_held(tmp_path: Path) -> None:
    """A given-up card that was not in hand is found."""
    log = turn("Tq[_'<]\n", lambda log: "!" not in log.hand(log.turn[2], log.turn[2]["seat"]))
    log.turn[2]["appended"] = "=\n"
    assert fired(tmp_path, log) == {"coup/card_given_up_not_held", "coup/another_card_lost"}
