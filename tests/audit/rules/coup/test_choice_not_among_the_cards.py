"""The rule ``coup/choice_not_among_the_cards``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Ep\n")
    log.turn[2]["output"] = "~" * len(log.turn[2]["output"]) + "~"
    return log


def test_choice_not_among_the_cards() -> None:
    """A choice of a card that was neither offered nor held is found."""
    assert fired(_changed) == {
        "coup/choice_not_among_the_cards",
        "coup/exchange_not_as_chosen",
    }
