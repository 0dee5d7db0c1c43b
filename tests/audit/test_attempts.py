"""The tables of a tournament that was begun again, and answers that one event holds for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.query import query
from audit.tables import Database, open_database
from games.table import Fault
from tests import factories
from tests.audit.coin_games import still
from tests.audit.contest import Contest
from tests.audit.tournament_factory import hold
from tests.audit.unique_games import failed, tournament


@pytest.fixture(scope="module")
def logs() -> Contest:
    """A tournament whose first two attempts, of three and of six games, are void."""
    return tournament()


@pytest.fixture(scope="module")
def database(logs: Contest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Its logs as tables."""
    folder = tmp_path_factory.mktemp("logs")
    logs.write(folder)
    with open_database([folder]) as database:
        yield database


def test_void_matches_are_told_apart(logs: Contest, database: Database) -> None:
    """Matches, players and schedule are void in the attempts that were voided, and only there."""
    sql = database.execute
    games = len(logs.matches)
    by_attempt = [("1", 3, 3), ("2", 6, 6), ("3", games - 9, 0)]
    for table, seats in (("matches", 1), ("players", 3), ("schedule", 1)):
        found = sql(
            f"SELECT match[1], count(*), count(*) FILTER (void) FROM {table} GROUP BY 1 ORDER BY 1"
        ).fetchall()
        assert found == [(a, n * seats, v * seats) for a, n, v in by_attempt], table
    assert sql("SELECT bool_and(attempt::VARCHAR = match[1]) FROM schedule").fetchone() == (True,)


@pytest.mark.parametrize("events", [0, 1, -1])
def test_a_later_attempt_voids_those_before(events: int, logs: Contest, tmp_path: Path) -> None:
    """While a tournament is played, or without its log, matches are void if an attempt follows."""
    logs.write(tmp_path)
    own = tmp_path / "tournament.jsonl"
    own.write_bytes(b"".join(own.read_bytes().splitlines(keepends=True)[:events]))
    with open_database([tmp_path]) as database:
        void = database.execute("SELECT match FROM matches WHERE void ORDER BY match").fetchall()
    assert [match for (match,) in void] == sorted(id for id in logs.matches if id[0] != "3")


def test_who_is_out_and_what_is_void(logs: Contest, database: Database) -> None:
    """`disqualified` and `voided` hold these events of a tournament's log."""
    sql = database.execute
    for table in ("disqualified", "voided"):
        cursor = sql(f"SELECT * EXCLUDE (log, game) FROM {table} ORDER BY seq")
        names = [column[0] for column in cursor.description or ()]
        found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        assert found == [
            {"seq": seq} | {key: event[key] for key in event if key != "type"}
            for seq, event in enumerate(logs.events)
            if event["type"] == table
        ]


def test_what_an_attempt_had_to_be(database: Database, tmp_path: Path) -> None:
    """Each attempt has its games, those that were due, and why it had to be void."""
    columns = "remaining, games, due_games, fewest, faulty, reason, due"
    sql = f"SELECT {columns} FROM smallest_unique_attempts ORDER BY attempt"
    void = ("disqualified", "disqualified")
    assert query(database, sql).rows == [
        ([0, 1, 2, 3, 4, 5, 6], 3, 3, 0, 2, *void),
        ([0, 2, 3, 4, 5, 6], 6, 6, 1, 5, *void),
        ([0, 2, 4, 5, 6], 15, 15, 6, None, None, None),
    ]
    faults = {seat: Fault("crash", during="construct") for seat in (0, 1)}
    logs = hold("smallest_unique", ("Anna", "Ben"), lambda match: lambda ask: faults, seats=2)
    logs.write(tmp_path)
    with open_database([tmp_path]) as nobody:
        assert query(nobody, sql).rows == [
            ([0, 1], 1, 1, 1, 0, *void),
            ([], 0, 0, None, None, None, None),
        ]


def test_a_match_alone_is_not_void(logs: Contest, tmp_path: Path) -> None:
    """Without the tournament's log nothing says that a match counts for nothing."""
    factories.write(tmp_path / "one.jsonl", logs.matches["1-000000"], logs.seeds["1-000000"])
    with open_database([tmp_path]) as database:
        assert database.execute("SELECT void FROM matches").fetchall() == [(False,)]


def test_a_match_of_a_huge_attempt_is_not_void(tmp_path: Path) -> None:
    """An attempt beyond all counting, which a match's id may bear, is no error."""
    log = still()
    log.events[0]["match"] = f"{10**30}-000000"
    factories.write(tmp_path / "one.jsonl", log.events, log.seed)
    with open_database([tmp_path]) as database:
        assert database.execute("SELECT void FROM matches").fetchall() == [(False,)]


def test_answers_that_one_event_holds_for_all(tmp_path: Path) -> None:
    """`answers` has a row for each choice of a round beside those with an event of their own."""
    log = failed("select")
    factories.write(tmp_path / "unique.jsonl", log.events, log.seed)
    factories.write(tmp_path / "coins.jsonl", still().events, log.seed)
    with open_database([tmp_path]) as database:
        sql = database.execute
        found = sql(
            "SELECT seq, seat, ask, output FROM answers WHERE game = 'smallest_unique' ORDER BY ALL"
        ).fetchall()
        own = sql("SELECT game, count(*) FROM answered GROUP BY 1 ORDER BY 1").fetchall()
    due = [
        (seq, seat, "select", str(choice))
        for seq, event in enumerate(log.events)
        for seat, choice in enumerate(event.get("choices", ()))
    ]
    due += [
        (seq, event["seat"], "select", event["output"])
        for seq, event in enumerate(log.events)
        if event["type"] == "answered"
    ]
    assert found == sorted(due)
    assert own == [("coins", 2), ("smallest_unique", 2)]
