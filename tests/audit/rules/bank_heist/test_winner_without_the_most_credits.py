"""The rule ``bank_heist/winner_without_the_most_credits``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, heist


@doctored
def _changed() -> Heist:
    log = heist()
    end = log.events[-1]
    end["winners"] = sorted({*range(4)} - {*end["winners"]})
    return log


def test_winner_without_the_most_credits() -> None:
    """A winner without the most credits is found."""
    assert fired(_changed) == {"bank_heist/winner_without_the_most_credits"}
