"""The rule ``bank_heist/sums_not_of_the_crew``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist, uncrossed
from tests.factories import Events


@doctored
def _changed() -> Heist:
    log = heist(uncrossed, type="shared_out", pot=0)
    log.event(type="shared_out")["crossers_sum"] += 1
    return log


def _of_the_rabble_alone(game: Events) -> bool:
    """Whether there are straights, and no player is one."""
    actions = {event["action"] for event in game if event["type"] == "acted"}
    return actions <= {"back out", "all in", "double cross"}


@doctored
def _no_player() -> Heist:
    log = heist(_of_the_rabble_alone, type="shared_out", straights=1)
    log.event(type="shared_out")["straights_sum"] += 20
    return log


def test_sums_not_of_the_crew() -> None:
    """Winnings of crossers where there are none are found, and too many of the rabble alone."""
    assert fired(_changed) == {"bank_heist/sums_not_of_the_crew"}
    assert "bank_heist/sums_not_of_the_crew" in fired(_no_player)
