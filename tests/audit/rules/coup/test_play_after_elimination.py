"""The rule ``coup/play_after_elimination``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, ending, fired


@doctored
def _changed() -> Doctored:
    log = ending("C[_'<=0]")
    call = {"type": "answered", "seat": log.turn[0]["seat"], "ask": "close", "output": ""}
    log.insert(call | {"appended": "\n"}, after=log.after(log.turn[-1], "card_lost"))
    return log


def test_play_after_elimination() -> None:
    """A call after the last card of a player is found."""
    assert fired(_changed) == {"coup/play_after_elimination"}
