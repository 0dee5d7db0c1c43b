"""The rule ``coup/exchange_not_as_chosen``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("Ep\n", lambda log: len(log.turn[2]["output"]) == 2)
    made = log.after(log.turn[2], "cards_exchanged")
    made["hand"], made["returned"] = made["returned"], made["hand"]
    return log


def test_exchange_not_as_chosen() -> None:
    """An Exchange that gave the owner the other cards is found."""
    assert fired(_changed) == {
        "coup/exchange_not_as_chosen",
        "coup/cards_not_conserved",
        "coup/exchange_deck_not_from_the_dice",
    }
