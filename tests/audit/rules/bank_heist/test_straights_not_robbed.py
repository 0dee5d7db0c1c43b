"""The rule ``bank_heist/straights_not_robbed``."""

from __future__ import annotations

import pytest

from games.table import Answer, Ask
from tests import factories
from tests.audit.bank_heists import Heist, doctored, fired, heist, sound
from tests.audit.together import Change

ACTIONS = {0: "double cross", 1: "double cross", 2: "finger"}


@doctored
def _changed() -> Heist:
    log = heist(type="cross_judged", succeeded=1)
    log.event(type="shared_out")["crosser_share"] += 1
    return log


def test_straights_not_robbed() -> None:
    """A share of the crossers that is one too high is found."""
    assert fired(_changed) == {
        "bank_heist/share_of_a_cross_not_paid",
        "bank_heist/straights_not_robbed",
    }


def _as_one_of_twenty(ask: Ask) -> Answer:
    """Bet 100 and carry on, except for two crossers and a fingerer."""
    return factories.printed("100" if ask.name == "bet" else ACTIONS.get(ask.seat, "carry on"))


def _two_crossers(exposed: int) -> Change:
    """Change the shares of a game in which so many of two crossers are exposed."""

    @doctored
    def change() -> Heist:
        seed = f"{56:064x}"
        settings = {"games_min": 3, "games_max": 3, "rabble": 0}
        events = factories.match_events(_as_one_of_twenty, seed, "bank_heist", 20, **settings)
        log = sound(Heist(seed, events))
        [pointed] = [e for e in events if e["type"] == "fingered" and len(e["exposed"]) == exposed]
        shared = next(e for e in events[log.place(pointed) :] if e["type"] == "shared_out")
        assert shared["pot"] > 0 or exposed
        shared["crosser_share" if exposed < 2 else "straight_share"] += 1
        return log

    return change


CHANGES = [_two_crossers(exposed) for exposed in range(3)]


@pytest.mark.parametrize("change", CHANGES)
def test_two_crossers(change: Change) -> None:
    """A share that is one too high is found, with none, one and both of two crossers exposed."""
    assert "bank_heist/straights_not_robbed" in fired(change)
