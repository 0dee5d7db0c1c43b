"""The rule ``bank_heist/seen_winnings_not_from_the_odds``."""

from __future__ import annotations

import pytest

from tests.audit.together import Change
from tests.audit.transcripts import Transcript, doctored, fired, has, seen
from tests.factories import Events


@doctored
def _changed() -> Transcript:
    log = seen(has({"why": "heist", "what": "winnings"}), results=True)
    seat = log.seat(why="heist", what="winnings")
    log.event(type="heist_seen", number=log.table["number"], seat=seat)["winnings"] = 10**12
    return log


def _won(action: str, more: int) -> Change:
    """Change the winnings of a heist at the smallest bank, before anybody has other odds."""

    @doctored
    def change() -> Transcript:
        def at_first(game: Events) -> bool:
            seats = [e["seat"] for e in game if e.get("action") == action]
            return game[0]["number"] == 1 and any(
                has({"why": "heist", "seat": seat})(game) for seat in seats
            )

        log = seen(at_first, results=True)
        seats = [e["seat"] for e in log.match if e.get("action") == action]
        result = next(
            e
            for e in reversed(log.events)
            if e["type"] == "heist_seen" and e["succeeded"] and e["seat"] in seats
        )
        result["winnings"] += more
        return log

    return change


CHANGES = [
    _won(action, more)
    for action, more in (
        *(("carry on", -1), ("carry on", 1)),
        *(("acquire intel", 1), ("deposit", 1), ("withdraw", -1), ("withdraw", 1)),
    )
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_credit_too_much_or_too_little(change: Change) -> None:
    """Winnings are exact where bank and odds are known, and 0 if they were put to use."""
    assert "seen_winnings_not_from_the_odds" in fired(change)


def test_seen_winnings_not_from_the_odds() -> None:
    """Winnings that the bet brings at no bank are found."""
    assert fired(_changed) == {"seen_winnings_not_from_the_odds"}
