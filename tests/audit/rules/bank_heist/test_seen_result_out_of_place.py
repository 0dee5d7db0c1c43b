"""The rule ``bank_heist/seen_result_out_of_place``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"why": "heist"}, {"type": "acted"}), results=True)
    log.drop(log.event(type="heist_seen", number=log.table["number"]))
    return log


@doctored
def _backed_out() -> Transcript:
    log = seen(has({"why": "heist"}, {"type": "acted", "action": "back out"}), results=True)
    seat = log.seat(type="acted", action="back out")
    result = {"type": "heist_seen", "number": log.table["number"], "seat": seat, "succeeded": 0}
    log.events.insert(-2, result)
    return log


@doctored
def _doubled() -> Transcript:
    log = seen(has({"why": "heist"}, {"type": "acted"}), results=True)
    log.events.insert(-2, log.event(type="heist_seen", number=log.table["number"]))
    return log


def test_seen_result_out_of_place() -> None:
    """A staying player without a result or with two is found, and a result of another player."""
    assert fired(_changed) == {"seen_result_out_of_place"}
    assert fired(_backed_out) == {"seen_result_out_of_place"}
    assert fired(_doubled) == {"seen_result_out_of_place"}
