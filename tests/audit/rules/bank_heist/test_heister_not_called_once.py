"""The rule ``bank_heist/heister_not_called_once``."""

from __future__ import annotations

from tests.audit.bank_heists import Heist, doctored, fired, has_bet, heist


@doctored
def _changed() -> Heist:
    log = heist(has_bet(0), type="acted", action="carry on")
    acted = log.event(type="acted", action="carry on")
    call = log.above(acted)
    seat = log.event(type="bet", bet=0)["seat"]
    copy = log.double(acted)
    copy["seat"] = seat
    log.events.insert(log.place(copy), {**call, "seat": seat})
    return log


def test_heister_not_called_once() -> None:
    """A player who was asked for its action without a bet is found."""
    assert fired(_changed) == {"bank_heist/heister_not_called_once"}
