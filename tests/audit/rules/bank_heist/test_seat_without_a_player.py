"""The rule ``bank_heist/seat_without_a_player``."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.audit.bank_heists import Heist, doctored, fired, heist


def _double(**fields: Any) -> Heist:
    log = heist(**fields)
    players = len(log.events[0]["players"])
    log.double(log.event(**fields))["seat"] = players
    return log


DOUBLES = [
    doctored(partial(_double, **fields))
    for fields in (
        {"type": "answered", "ask": "bet"},
        {"type": "bet", "bet": 0},
        {"type": "acted"},
        {"type": "moved", "what": "credits"},
        {"type": "fingered"},
    )
]


@doctored
def _exposed() -> Heist:
    log = heist(type="fingered")
    log.event(type="fingered")["exposed"].append(len(log.events[0]["players"]))
    return log


def test_seat_without_a_player() -> None:
    """An event of one more player than there are is found, whichever it is."""
    assert all("bank_heist/seat_without_a_player" in fired(double) for double in DOUBLES)
    assert fired(DOUBLES[1]) == {"bank_heist/seat_without_a_player"}


def test_a_seat_that_a_finger_exposed() -> None:
    """A finger that exposed a seat without a player is found."""
    assert "bank_heist/seat_without_a_player" in fired(_exposed)
