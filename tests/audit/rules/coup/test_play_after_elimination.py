"""The rule ``coup/play_after_elimination``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, ending, fired


@doctored
def _changed() -> Doctored:
    log = ending("C[_'<=0]")
    call = {"type": "answered", "seat": log.turn[0]["seat"], "ask": "close", "output": ""}
    log.insert(call | {"appended": "\n"}, after=log.after(log.turn[-1], "card_lost"))
    return log


@doctored
def _both_lost() -> Doctored:
    log = ending("C[_'<=0]")
    lost = log.after(log.turn[-1], "card_lost")
    log.insert(lost | {"seat": 1 - lost["seat"]}, after=lost)
    return log


def test_play_after_elimination() -> None:
    """A call or an effect after the last card of a player is found."""
    assert fired(_changed) == {"coup/play_after_elimination"}
    assert "coup/play_after_elimination" in fired(_both_lost)
