"""The rule ``smallest_unique/played_with_too_few_entrants``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    [_, out] = [event for event in logs.events if event["type"] == "disqualified"]
    for entrant in (0, 2, 4, 5):
        logs.events.insert(logs.events.index(out), out | {"entrant": entrant})
    for game in logs.played[10:]:
        del logs.matches[game["match"]]
        logs.events.remove(game)
    return logs


def test_played_with_too_few_entrants() -> None:
    """A game for which not enough entrants were left is found."""
    assert fired(_changed) == {
        "smallest_unique/disqualified_not_those_at_fault",
        "smallest_unique/disqualified_seated_again",
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/played_with_too_few_entrants",
        "smallest_unique/seats_not_from_the_dice",
    }
