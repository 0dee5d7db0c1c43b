"""The tables: complete, typed, made from the event models, and independent of file names."""

from __future__ import annotations

import json
import os
import pickle
import random
import re
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from shutil import rmtree
from typing import Annotated, Any, Literal, NotRequired

import pytest
from pydantic import Field
from typing_extensions import TypedDict

from audit.errors import AuditError
from audit.loading.columns import Column, of_model, sql_type, union
from audit.loading.models import models_of
from audit.query import Result, query
from audit.run_rules import audit
from audit.tables import open_database
from games.table import Fault
from schema import registry
from schema.errors import NothingToDo, UsageError
from schema.executor import A, B
from schema.fields import event
from tests import factories
from tests.audit.contest import SEED, contest
from tests.audit.doctored_logs import failing, patient, turn
from tests.audit.together import report_on


class Inner(TypedDict):
    """A part of an event."""

    seat: int
    name: NotRequired[str]


class Outer(TypedDict):
    """An event of a game that nobody knows.

    More of it.
    """

    type: Literal["outer"]
    number: int
    perhaps: int | None
    flags: Annotated[list[bool], Field(description="By seat.")]
    inner: list[Inner]
    settings: NotRequired[Annotated[dict[str, int | str], Field(description="All.")]]


@event
class Tossed(TypedDict):
    """A coin was tossed. The field `game` is the event's own, not the game's name."""

    type: Literal["tossed"]
    game: int
    heads: NotRequired[bool]


@event
class TossedAgain(TypedDict):
    """A coin was tossed."""

    type: Literal["tossed"]
    game: Annotated[int, Field(description="The event's own number.")]
    edge: bool


FOREIGN_EVENTS = (Tossed,)
LATER_EVENTS = (TossedAgain,)


class Clash(TypedDict):
    """An event that gives a field another type."""

    type: Literal["clash"]
    number: str


def test_columns_follow_the_annotations() -> None:
    """Scalars, lists, structs and everything else become BIGINT …, [], STRUCT and JSON."""
    model = of_model(Outer)
    assert (model.type, model.description) == (
        "outer",
        "An event of a game that nobody knows.",
    )
    assert model.columns == (
        Column("number", "BIGINT"),
        Column("perhaps", "BIGINT"),
        Column("flags", "BOOLEAN[]", "By seat."),
        Column("inner", 'STRUCT("seat" BIGINT, "name" VARCHAR)[]'),
        Column("settings", "JSON", "All."),
    )
    assert sql_type(Literal["a", "b"]) == "VARCHAR"


def test_a_field_with_two_types_is_an_error() -> None:
    """A field that has one type here and another there is named."""
    with pytest.raises(AuditError, match="clash: the field 'number' is VARCHAR"):
        union([of_model(Outer), of_model(Clash)])


def test_a_field_that_a_later_version_describes_otherwise_is_one_column() -> None:
    """A rules version may reword a field: its table keeps one column for it."""
    versions = {
        name: registry.card("coup").current.model_copy(update={"events": f"{__name__}:{events}"})
        for name, events in {"toss_up/1": "FOREIGN_EVENTS", "toss_up/2": "LATER_EVENTS"}.items()
    }
    [model] = models_of(registry.card("coup").model_copy(update={"versions": versions}))
    assert [column.name for column in model.columns] == ["game", "heads", "edge"]


@pytest.mark.parametrize(
    "name",
    [
        "a[1].jsonl",
        "*.jsonl",
        "what?.jsonl",
        'it\'s "it".jsonl',
        "{a,b}.jsonl",
        "back\\slash.jsonl",
    ],
)
def test_odd_file_names(tmp_path: Path, name: str) -> None:
    """Names that mean something to a shell, to SQL or to DuckDB are just names."""
    log = turn("I\n")
    factories.write(tmp_path / name, log.events, log.seed)
    factories.write(tmp_path / "a1.jsonl", log.events, log.seed)
    with open_database([tmp_path]) as database:
        rows = database.execute("SELECT path FROM logs").fetchall()
    assert {Path(path).name for (path,) in rows} == {name, "a1.jsonl"}


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    """A name that is not UTF-8 is shown with escapes."""
    log = turn("I\n")
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl"))
    factories.write(path, log.events, log.seed)
    with open_database([path]) as database:
        [(found,)] = database.execute("SELECT path FROM logs").fetchall()
    assert found.endswith("/\\udcff.jsonl")


def test_every_event_is_there(tmp_path: Path) -> None:
    """`events` holds each line of each log as JSON, with nothing lost and nothing added."""
    contest().write(tmp_path)
    failed = failing(Fault("tampered", {"output": b"\0\x1b\xff", "file": "Ä\0".encode()}))
    factories.write(tmp_path / "failed.jsonl", failed.events, failed.seed)
    lines = [
        json.loads(line)
        for path in tmp_path.rglob("*.jsonl")
        for line in path.open(encoding="utf-8")
    ]
    with open_database([tmp_path]) as database:
        rows = database.execute("SELECT event FROM events").fetchall()
    by_content: Callable[[Any], str] = lambda event: json.dumps(event, sort_keys=True)  # noqa: E731
    assert sorted(map(by_content, lines)) == sorted(by_content(json.loads(e)) for (e,) in rows)


def test_typed_tables_exist_without_a_log(tmp_path: Path) -> None:
    """The tables of every installed game are there, with their columns, without a log."""
    (tmp_path / "empty.jsonl").write_bytes(b"")
    with open_database([tmp_path]) as database:
        found = query(database, "FROM coup_cards_offered")
        assert found == Result(("log", "match", "seq", "seat", "drawn", "deck"), [])
        assert (database.logs, database.unread) == (0, 1)


def test_the_tables_of_a_tournament(tmp_path: Path) -> None:
    """Matches, players, schedule, standings and entrants agree with the logs."""
    logs = contest()
    logs.write(tmp_path)
    with open_database([tmp_path]) as database:
        sql = database.execute
        assert sql("SELECT count(*), count(DISTINCT log) FROM matches").fetchone() == (12, 12)
        assert sql("SELECT count(*) FROM players").fetchone() == (24,)
        assert sql("SELECT list(name ORDER BY entrant) FROM entrants").fetchone() == (
            ["Anna", "Ben", "Cleo"],
        )
        assert sql("SELECT list(seal ORDER BY number) FROM schedule").fetchone() == (
            [line["seal"] for line in logs.played],
        )
        assert sql("SELECT list(score ORDER BY place) FROM standings").fetchone() == (
            [line["score"] for line in logs.standings],
        )
        assert sql("SELECT settings->>'rounds' FROM tournaments").fetchone() == ("2",)
        assert sql("SELECT DISTINCT tournament_log FROM logs WHERE kind = 'match'").fetchall() == (
            sql("SELECT log FROM tournaments").fetchall()
        )


def test_two_copies_of_a_tournament_are_kept_apart(tmp_path: Path) -> None:
    """A match belongs to the tournament in its own folder, although another has the same id."""
    contest().write(tmp_path / "one")
    contest().write(tmp_path / "two")
    with open_database([tmp_path]) as database:
        found = database.execute(
            "SELECT DISTINCT tournament_log, regexp_extract(path, '(one|two)') FROM logs "
            "WHERE kind = 'match'"
        ).fetchall()
    assert len(found) == 2


def test_the_log_of_another_tournament_beside_that_of_the_matches(tmp_path: Path) -> None:
    """Matches belong to tournament.jsonl, although another log there comes first by its name."""
    contest().write(tmp_path)
    contest(mirrored=1).write(tmp_path / "other")
    (tmp_path / "other" / "tournament.jsonl").rename(tmp_path / "another.jsonl")
    rmtree(tmp_path / "other")
    assert report_on(tmp_path).clean
    with open_database([tmp_path]) as database:
        found = database.execute(
            "SELECT DISTINCT own.path FROM logs JOIN logs AS own ON own.log = logs.tournament_log"
        ).fetchall()
    assert found == [(str(tmp_path / "tournament.jsonl"),)]


def test_a_match_that_lies_elsewhere_is_known_by_its_tournament(tmp_path: Path) -> None:
    """A match log outside a folder `matches` belongs to the tournament whose id it bears."""
    logs = contest()
    factories.write(tmp_path / "tournament.jsonl", logs.events, "7" * 64)
    match = "1-000002"
    factories.write(tmp_path / "x" / "one.jsonl", logs.matches[match], logs.seeds[match])
    with open_database([tmp_path]) as database:
        found = database.execute(
            "SELECT kind FROM logs WHERE tournament_log IS NOT NULL"
        ).fetchall()
    assert found == [("match",)]


def test_a_single_match_belongs_to_no_tournament_with_the_same_seed(tmp_path: Path) -> None:
    """A match that was played alone breaks no rule beside a tournament with the same seed."""
    logs = contest()
    logs.write(tmp_path / "spring")
    single = factories.match_events(patient(random.Random(1)), SEED)
    assert single[0]["tournament"] == logs.events[0]["tournament"]
    factories.write(tmp_path / "single.jsonl", single, SEED)
    assert report_on(tmp_path).clean


def test_a_copied_match_of_two_tournaments_with_the_same_seed(tmp_path: Path) -> None:
    """A match log elsewhere breaks no rule of a tournament that has only the id of its own."""
    logs = contest()
    logs.write(tmp_path / "summer")
    contest(mirrored=1).write(tmp_path / "spring")
    match = "1-000002"
    factories.write(tmp_path / "copy.jsonl", logs.matches[match], logs.seeds[match])
    assert report_on(tmp_path).clean


def test_logs_can_be_read_in_other_processes(tmp_path: Path) -> None:
    """Arguments and results of a worker can be sent between processes."""
    contest().write(tmp_path)

    def each(function: Callable[[A], B], items: Iterable[A]) -> Generator[B, None, None]:
        for item in items:
            sent = pickle.loads(pickle.dumps((function, item)))
            yield pickle.loads(pickle.dumps(sent[0](sent[1])))

    with open_database([tmp_path], current_only=True, mapper=each) as database:
        assert database.logs == 13


@pytest.mark.parametrize("audited", [True, False])
def test_logs_of_older_rules(
    audited: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Queries see logs of every rules version; the audit those whose card says so."""
    card = registry.card("coup")
    older = card.current.model_copy(update={"audited": audited})
    newer = card.current.model_copy(update={"name": "coup/3"})
    later = card.model_copy(
        update={"rules": "coup/3", "versions": {card.rules: older, "coup/3": newer}}
    )
    monkeypatch.setattr(registry, "card", lambda name: later)
    monkeypatch.setattr(registry, "names", lambda: ["coup"])
    log = turn("I\n")
    factories.write(tmp_path / "log.jsonl", log.events, log.seed)
    with open_database([tmp_path]) as database:
        assert (database.logs, database.unread) == (1, 0)
    with open_database([tmp_path], current_only=True) as database:
        assert (database.logs, database.unread) == (int(audited), int(not audited))
        verdicts = database.execute("SELECT verdict FROM unread").fetchall()
    assert verdicts == [("unsupported",)] * (not audited)


def test_a_game_of_another_package_beside_a_built_in_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any game's events become typed tables, and its rules run, beside those of another game."""
    version = registry.card("coup").current.model_copy(
        update={"name": "toss_up/1", "events": f"{__name__}:FOREIGN_EVENTS"}
    )
    foreign = registry.card("coup").model_copy(
        update={
            "name": "toss_up",
            "rules": "toss_up/1",
            "versions": {"toss_up/1": version},
            "rulebook": tmp_path / "RULES.md",
            "audit": tmp_path / "rules",
        }
    )
    coup = registry.card("coup")
    monkeypatch.setattr(registry, "card", lambda name: coup if name == "coup" else foreign)
    (tmp_path / "RULES.md").write_text("- **TU-1** A coin falls on tails.\n")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "_heads.sql").write_text(
        "CREATE VIEW toss_up_heads AS FROM toss_up_tossed WHERE heads"
    )
    (tmp_path / "rules" / "fell_on_heads.sql").write_text(
        "-- clause: TU-1\n-- severity: error\n-- Heads.\n"
        "SELECT log, match, seq, 'tails' AS expected, 'heads' AS found, game FROM toss_up_heads;"
    )
    log = turn("I\n")
    factories.write(tmp_path / "logs" / "coup.jsonl", log.events, log.seed)
    log.events[0].update(game="toss_up", rules="toss_up/1")
    tosses = [{"type": "tossed", "game": 5}, {"type": "tossed", "game": 6, "heads": True}]
    toss_up = [log.events[0], *tosses, log.events[-1]]
    factories.write(tmp_path / "logs" / "toss_up.jsonl", toss_up, log.seed)
    with open_database([tmp_path / "logs"], current_only=True) as database:
        assert database.games == ("coup", "toss_up")
        sql = database.execute
        assert sql("SELECT match, seq, game, heads FROM toss_up_tossed").fetchall() == [
            ("1-000000", 1, 5, None),
            ("1-000000", 2, 6, True),
        ]
        assert sql("SELECT count(DISTINCT game) FROM events").fetchone() == (2,)
        [finding] = audit(database).findings
    assert (finding.rule.id, finding.seq, finding.extra) == (
        *("toss_up/fell_on_heads", 2),
        {"game": 6},
    )


@event
class Logged(TypedDict):
    """An event with a field that every table has."""

    type: Literal["logged"]
    log: int


LOGGED = (Logged,)


def test_a_field_that_every_table_has_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game whose event has a field `log` gets an error that asks to rename it."""
    coup = registry.card("coup")
    version = coup.current.model_copy(update={"events": f"{__name__}:LOGGED"})
    wrong = coup.model_copy(update={"versions": {"coup/1": version}})
    monkeypatch.setattr(registry, "card", lambda name: wrong)
    (tmp_path / "empty.jsonl").write_bytes(b"")
    with (
        open_database([tmp_path]) as database,
        pytest.raises(AuditError, match="the field 'log' needs another name"),
    ):
        query(database, "FROM coup_logged")


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing a database removes its temporary files; so does an error while opening."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    log = turn("I\n")
    factories.write(tmp_path / "log.jsonl", log.events, log.seed)
    with open_database([tmp_path / "log.jsonl"]):
        assert list(place.iterdir())
    assert not list(place.iterdir())
    with pytest.raises(UsageError):
        open_database([tmp_path / "nothing"])
    with pytest.raises(NothingToDo):
        open_database([place])
    assert not list(place.iterdir())


def check_refused(temporary: Path, message: str, on_disk: bool) -> None:
    """Check that a database is refused with a message, and leaves the temporary folder empty."""
    temporary.mkdir()
    log = turn("I\n")
    factories.write(temporary.parent / "log.jsonl", log.events, log.seed)
    with pytest.raises(UsageError, match=message):
        open_database([temporary.parent / "log.jsonl"], on_disk=on_disk)
    assert not list(temporary.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="a name cannot have these characters")
@pytest.mark.parametrize("name", ["a?b", "a\\b"])
def test_a_folder_for_temporary_files_that_duckdb_would_not_find(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables of a page are in a file there; the message names the folder."""
    place = tmp_path / name
    monkeypatch.setattr("tempfile.tempdir", str(place))
    check_refused(place, f"^TMPDIR: .*{re.escape(str(place))}", on_disk=True)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
@pytest.mark.parametrize("on_disk", [False, True])
def test_a_folder_for_temporary_files_whose_name_is_not_utf_8(
    on_disk: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB takes paths in UTF-8 only; the message names the folder, which stays empty."""
    place = tmp_path / os.fsdecode(b"caf\xe9")
    monkeypatch.setattr("tempfile.tempdir", str(place))
    check_refused(place, r"^TMPDIR: .*UTF-8.*/caf\\udce9\.", on_disk)
