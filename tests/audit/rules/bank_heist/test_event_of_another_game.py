"""The rule ``bank_heist/event_of_another_game``."""

from __future__ import annotations

import pytest

from tests.audit.bank_heists import Heist, doctored, fired, heist
from tests.audit.together import Change


def _numbered_as_the_next(type: str) -> Change:
    @doctored
    def change() -> Heist:
        log = heist(type=type)
        log.event(type=type)["number"] += 1
        return log

    return change


CHANGES = {
    type: _numbered_as_the_next(type)
    for type in (
        *("game_started", "bet", "bets_closed", "acted", "heist_rolled"),
        *("moved", "cross_judged", "fingered", "shared_out", "game_finished"),
    )
}


@pytest.mark.parametrize("type", CHANGES)
def test_event_of_another_game(type: str) -> None:
    """An event of each type with the number of the next game is found."""
    assert fired(CHANGES[type]) == {"bank_heist/event_of_another_game"}
