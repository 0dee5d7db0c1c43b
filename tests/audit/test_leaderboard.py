"""The leaderboard: computed from the matches, by hand here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit import leaderboard
from audit.errors import AuditError
from audit.rows import boards_json
from audit.tables import open_database
from schema import registry
from tests import making
from tests.audit.contest import contest
from tests.audit.doctoring import Doctored, ending, failing, turn
from tests.making import answer


def test_points_and_intervals(tmp_path: Path) -> None:
    """Two wins, a loss by forfeit and a draw: 2 of 4, Wilson's interval 0.1500 to 0.8500."""
    lost = failing(answer("X"))
    winner = lost.first("match_finished")["winners"][0]
    won = [ending("C[_'<=0]", lambda log: wins(log, winner)) for _ in range(2)]
    logs = [*won, turn("I\n"), lost]
    logs[3].events[0]["players"].reverse()
    for seat, player in enumerate(logs[3].events[0]["players"]):
        player["seat"] = seat
    for number, log in enumerate(logs):
        making.write(tmp_path / f"{number}.jsonl", log.events, log.seed)
    with open_database([tmp_path], current_only=True) as database:
        found = leaderboard.leaderboards(database)["coup"]
    assert found.columns == (
        *("rank", "name", "games", "points", "wins", "draws", "losses", "forfeits"),
        *("points_per_game", "low", "high", "bot"),
    )
    assert [row[:11] for row in found.rows] == [
        (1, f"player{winner}", 4, 2, 2, 1, 1, 1, 0.5, 0.15, 0.85),
        (2, f"player{1 - winner}", 4, 1, 1, 1, 2, 0, 0.25, 0.0456, 0.6994),
    ]


def wins(log: Doctored, seat: int) -> bool:
    """Whether the seat wins the match."""
    return bool(log.first("match_finished")["winners"] == [seat])


def test_it_agrees_with_the_final_table(tmp_path: Path) -> None:
    """Over one tournament the points are those of its standings, and nothing is taken from them."""
    logs = contest()
    expected = {line["entrant"]: line["score"] for line in logs.standings}
    logs.standings[0]["score"] = 99
    logs.write(tmp_path)
    with open_database([tmp_path], current_only=True) as database:
        found = leaderboard.leaderboard(database, "coup")
    json_board = json.loads(boards_json({"coup": found}))
    assert json_board["format"] == "koth-leaderboard/1"
    assert [line["name"] for line in json_board["games"]["coup"]] == [row[1] for row in found.rows]
    points = {row[1]: row[3] for row in found.rows}
    assert points == {"Anna": expected[0], "Ben": expected[1], "Cleo": expected[2]}


def test_a_broken_leaderboard_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A leaderboard's query that does not run is an error that names its file."""
    log = turn("I\n")
    making.write(tmp_path / "log.jsonl", log.events, log.seed)
    with open_database([tmp_path], current_only=True) as database:
        monkeypatch.setitem(vars(registry.card("coup")), "leaderboard", tmp_path / "gone.sql")
        with pytest.raises(AuditError, match=r"gone\.sql: this leaderboard does not run"):
            leaderboard.leaderboard(database, "coup")
