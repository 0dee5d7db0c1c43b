"""The rule ``coup/card_lost_unduly``."""

from __future__ import annotations

from tests.audit.doctored_logs import Doctored, doctored, fired, turn


@doctored
def _changed() -> Doctored:
    log = turn("C[_'<=0]\n", lambda log: len(log.hand(log.turn[1], log.turn[1]["seat"])) == 2)
    lost = log.after(log.turn[1], "card_lost")
    log.cut(log.insert(lost | {"card": lost["hand"], "hand": ""}, after=lost))
    log.first("match_finished").update(reason="eliminated", scores=[0, 0], winners=[])
    winner = log.turn[0]["seat"]
    log.first("match_finished")["scores"][winner] = 1
    log.first("match_finished")["winners"].append(winner)
    return log


def test_card_lost_unduly() -> None:
    """A second card lost to a Coup is found."""
    assert fired(_changed) == {"coup/card_lost_unduly", "coup/card_lost_for_another_cause"}
