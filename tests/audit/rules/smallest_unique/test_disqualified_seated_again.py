"""The rule ``smallest_unique/disqualified_seated_again``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


def _again() -> Contest:
    logs = tournament()
    game = logs.played[-1]
    game["seats"][0] = 1
    logs.matches[game["match"]][0]["players"][0]["name"] = "Ben"
    logs.seal(game["match"])
    return logs


@doctored
def _changed() -> Contest:
    return _again()


@doctored
def _twice() -> Contest:
    logs = _again()
    [ben, _] = [event for event in logs.events if event["type"] == "disqualified"]
    logs.events.insert(-1, ben)
    return logs


def test_disqualified_seated_again() -> None:
    """A game of an entrant that was out is found."""
    assert fired(_changed) == {
        "smallest_unique/disqualified_seated_again",
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/seats_not_from_the_dice",
    }
    assert "smallest_unique/disqualified_seated_again" in fired(_twice)
