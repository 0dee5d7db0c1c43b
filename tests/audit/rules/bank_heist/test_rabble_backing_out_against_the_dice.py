"""The rule ``bank_heist/rabble_backing_out_against_the_dice``."""

from __future__ import annotations

from tests import factories
from tests.audit.bank_heists import Heist, doctored, fired, has, heist
from tests.factories import printed


@doctored
def _changed() -> Heist:
    log = heist(has("rabble_fates", "f"))
    rolled = log.event(type="heist_rolled")
    rolled["rabble_fates"] = rolled["rabble_fates"].replace("f", "o", 1)
    return log


def test_rabble_backing_out_against_the_dice() -> None:
    """A member of the rabble that backed out against the dice is found."""
    assert fired(_changed) == {
        "bank_heist/rabble_backing_out_against_the_dice",
        "bank_heist/rabble_credits_miscounted",
        "bank_heist/staying_miscounted",
        "bank_heist/sums_not_of_the_crew",
    }


@doctored
def _large() -> Heist:
    events = factories.match_events(
        lambda ask: printed("9" if ask.name == "bet" else "back out"),
        game="bank_heist",
        players=300,
        games_min=1,
        games_max=1,
        rabble=5_000,
    )
    return Heist(factories.SEED, events)


def test_a_large_rabble() -> None:
    """A game of thousands of heisters, of which hundreds back out, is audited."""
    assert fired(_large) == set()
