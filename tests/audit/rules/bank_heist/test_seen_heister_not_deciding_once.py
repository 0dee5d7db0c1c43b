"""The rule ``bank_heist/seen_heister_not_deciding_once``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"type": "acted"}))
    log.drop(log.event(type="acted"))
    return log


def test_seen_heister_not_deciding_once() -> None:
    """A player that bet and did not decide is found."""
    assert fired(_changed) == {"seen_heister_not_deciding_once"}
