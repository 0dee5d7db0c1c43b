"""The rule ``bank_heist/seen_ranking_out_of_order``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, seen


@doctored
def _changed() -> Transcript:
    log = seen()
    log.table["ranking"] = list(reversed(log.table["ranking"]))
    return log


def test_seen_ranking_out_of_order() -> None:
    """A table that is not ranked by credits is found."""
    assert fired(_changed) == {"seen_ranking_out_of_order"}
