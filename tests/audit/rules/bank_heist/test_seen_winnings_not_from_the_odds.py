"""The rule ``bank_heist/seen_winnings_not_from_the_odds``."""

from __future__ import annotations

from tests.audit.transcripts import Transcript, doctored, fired, has, seen


@doctored
def _changed() -> Transcript:
    log = seen(has({"why": "heist", "what": "winnings"}), results=True)
    seat = log.seat(why="heist", what="winnings")
    log.event(type="heist_seen", number=log.table["number"], seat=seat)["winnings"] = 10**12
    return log


def test_seen_winnings_not_from_the_odds() -> None:
    """Winnings that the bet brings at no bank are found."""
    assert fired(_changed) == {"seen_winnings_not_from_the_odds"}
