"""The rule ``smallest_unique/games_not_as_many_as_set``."""

from __future__ import annotations

from tests.audit.contest import Contest
from tests.audit.unique_games import doctored, fired, once, tournament


@doctored
def _changed() -> Contest:
    logs = tournament()
    game = logs.played[-1]
    del logs.matches[game["match"]]
    logs.events.remove(game)
    return logs


@doctored
def _of_all() -> Contest:
    logs = once(3, 3)
    game = logs.played[0]
    logs.events.insert(4, game | {"match": "1-000003", "seats": game["seats"][::-1]})
    return logs


@doctored
def _none() -> Contest:
    logs = once(6, 2)
    logs.matches.clear()
    del logs.events[1:7]
    return logs


@doctored
def _until_a_fault() -> Contest:
    logs = once(3, 3)
    fault = {"seat": 0, "kind": "crash"}
    game = logs.played[0] | {
        "match": "1-000003",
        "reason": "void",
        "winners": [],
        "faults": [fault],
    }
    failed = game["seats"][0]
    logs.events[4:] = [
        game,
        {"type": "disqualified", "entrant": failed, "match": "1-000003", "kind": "crash"},
        {"type": "voided", "attempt": 1, "matches": 4, "reason": "disqualified"},
        {"type": "tournament_finished", "standings": []},
    ]
    return logs


def test_games_not_as_many_as_set() -> None:
    """A last attempt with a game less or more than set is found, and an attempt without games."""
    assert fired(_changed) == {
        "smallest_unique/final_table_not_from_the_matches",
        "smallest_unique/games_not_as_many_as_set",
    }
    rule = "smallest_unique/games_not_as_many_as_set"
    assert rule in fired(_of_all)
    assert fired(_none) == {rule, "smallest_unique/final_table_not_from_the_matches"}


def test_games_above_the_set_number_until_a_fault() -> None:
    """A game too many is found if a bot fails in it, which voids the attempt."""
    assert "smallest_unique/games_not_as_many_as_set" in fired(_until_a_fault)
