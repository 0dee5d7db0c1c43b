"""The rule ``coup/choice_not_among_the_cards``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired, turn


def test_choice_not_among_the_cards(tmp_path: Path) -> None:
    """A choice of a card that was neither offered nor held is found."""
    log = turn("Ep\n")
    log.turn[2]["output"] = "~" * len(log.turn[2]["output"]) + "~"
    assert fired(tmp_path, log) == {
        "coup/choice_not_among_the_cards",
        "coup/exchange_not_as_chosen",
    }
