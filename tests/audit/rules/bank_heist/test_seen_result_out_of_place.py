"""The rule ``bank_heist/seen_result_out_of_place``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"why": "heist"}, {"type": "acted"}), results=True)
    log.drop(log.event(type="heist_seen", number=log.table["number"]))
    return log


def test_seen_result_out_of_place() -> None:
    """A staying player without a result is found."""
    assert fired(_changed) == {"seen_result_out_of_place"}
