"""Tables of an archive: from Parquet that its bundle vouches for, as other engines read them."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import orjson
import pyarrow.parquet as parquet  # type: ignore[import-untyped]
import pytest

from audit.archive import pack
from audit.errors import AuditError, QueryError
from audit.leaderboard import leaderboards
from audit.loading.columnar import split_log
from audit.loading.vouched import LIST, PARQUET
from audit.query import non_empty, query, tables
from audit.rating import ratings
from audit.run_rules import audit
from audit.tables import Database, open_database
from replay.verify import verify_all
from schema.bundle import Bundle, write
from schema.discovery import logs
from schema.errors import NothingToDo
from tests import factories
from tests.audit import coin_games
from tests.audit.archives import asked, each_game, names, played, tree
from tests.audit.tournament_factory import hold
from tests.sampling import LONG_RUN, sampled


@each_game
def test_an_archive_says_what_the_folder_says(game: str, packed: Callable[[str], Path]) -> None:
    """The verdicts and all tables are the same, evidence included."""
    spring, archive = packed(game) / "spring", packed(game) / "archive"
    here, there = (
        [(one.path.removeprefix(str(at)), one.verdict) for one in verify_all(logs([at]))]
        for at in (spring, archive / "spring.jsonl.zst")
    )
    assert there == here
    assert asked(game, archive, together=True) == asked(game, spring, together=True)


def test_an_archive_is_audited_as_the_folder_is(packed_other: Path) -> None:
    """Findings and leaderboards are the same: here of a match that says another winner."""
    told = []
    for at in (packed_other / "spring", packed_other / "archive"):
        with open_database([at], current_only=True) as database:
            found = [(one.rule.id, one.match, one.seq) for one in audit(database).findings]
            told.append((found, leaderboards(database)))
    assert told[0] == told[1]
    assert told[0][0]


@pytest.mark.usefixtures("_packed")
def test_the_matches_of_an_archive_are_not_read_again(tmp_path: Path, read: list[str]) -> None:
    """Tables beside the bundle replace its matches; only a match that is named itself is read."""
    read.clear()
    with open_database([tmp_path / "archive"]) as database:
        assert database.logs > 2
    assert read == ["tournament.jsonl"]
    with open_database([tmp_path / "archive" / "spring.jsonl.zst" / "matches"]) as database:
        assert len(read) == 1 + database.logs


@pytest.mark.parametrize(
    "game", sampled({"coins": "coins", "smallest_unique": "smallest_unique"}, ["smallest_unique"])
)
def test_the_folder_of_temporary_files_has_any_name(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quote, a pattern or ``name=value`` in the path of the tables and the evidence is text."""
    spring = played(tmp_path / "spring", game)
    expected = asked(game, spring)
    folder = tmp_path / "it's [a]*" / "_log=3" / "log=5" / "rules=x" / "day=2026-01-31"
    folder.mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr("audit.loading.columnar.MIN_BULK_LINES", 5)
    assert asked(game, spring) == expected
    pack([spring], tmp_path / "archive")
    with open_database([tmp_path / "archive"]) as database:
        assert database.bundles
    assert asked(game, tmp_path / "archive") == expected


def replaced(archive: Path, other: Path) -> None:
    """The tables are those of another bundle of the same name."""
    shutil.rmtree(archive / PARQUET)
    shutil.copytree(other / PARQUET, archive / PARQUET)


def linked(archive: Path, other: Path) -> None:
    """A table is a link to another file."""
    [path] = (archive / PARQUET / "logs").rglob("*.parquet")
    path.rename(archive / "elsewhere")
    path.symlink_to(archive / "elsewhere")


def one_lost(archive: Path, other: Path) -> None:
    """One table is not there."""
    shutil.rmtree(archive / PARQUET / "faults")


def one_replaced(archive: Path, other: Path) -> None:
    """One table is another bundle's."""
    shutil.rmtree(archive / PARQUET / "matches")
    shutil.copytree(other / PARQUET / "matches", archive / PARQUET / "matches")


def no_parquet(archive: Path, other: Path) -> None:
    """A table is something else."""
    for path in (archive / PARQUET / "logs").rglob("*.parquet"):
        path.write_text("nothing")


@pytest.mark.usefixtures("_packed")
def test_tables_that_are_not_the_bundles_are_not_used(
    packed_other: Path, tmp_path: Path, read: list[str]
) -> None:
    """Koth reads the bundle instead, with the same result; packing writes the tables again."""
    bytes = tree(tmp_path / "archive")
    with open_database([tmp_path / "spring"]) as database:
        expected = query(database, "FROM events").rows
    for change in (replaced, one_lost, one_replaced, no_parquet, linked):
        change(tmp_path / "archive", packed_other / "archive")
        assert tree(tmp_path / "archive") != bytes, change
        read.clear()
        with open_database([tmp_path / "archive"]) as database:
            rows = query(database, "FROM events").rows
        assert rows == expected, change
        assert len(read) > 2, change
        (tmp_path / "archive" / "elsewhere").unlink(missing_ok=True)
        pack([], tmp_path / "archive")
        assert tree(tmp_path / "archive") == bytes, change


@pytest.mark.usefixtures("_packed")
def test_a_table_that_no_bundle_has_or_nobody_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file far larger than the logs is not copied; if a copy fails, the bundle is read."""

    def refused(source: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied", str(source))

    [table] = (tmp_path / "archive" / PARQUET / "logs").rglob("*.parquet")
    monkeypatch.setattr(shutil, "copyfile", refused)
    for reason in ("cannot be read: Permission denied", "is not a Parquet file of this bundle"):
        with open_database([tmp_path / "archive"]) as database:
            assert database.logs
            assert database.rejected == [f"{tmp_path}/archive/spring.jsonl.zst: {table} {reason}"]
        with table.open("r+b") as file:
            file.truncate(1 << 32)


@pytest.mark.usefixtures("_packed")
def test_tables_are_not_written_through_a_link(tmp_path: Path) -> None:
    """An archive of a stranger cannot lead its tables to another folder."""
    shutil.rmtree(tmp_path / "archive" / PARQUET)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "archive" / PARQUET).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="expected no link"):
        pack([], tmp_path / "archive")
    assert not list((tmp_path / "elsewhere").iterdir())


def vouching(bundle: Path, games: dict[str, Any] | None) -> None:
    """Make the bundle again, with another list of Parquet files or none."""
    old = Bundle(bundle)
    files = {entry.file: old.read(entry.file) for entry in old.entries}
    del files[LIST]
    if games is not None:
        files[LIST] = orjson.dumps({"format": "koth-parquet/1", "games": games})
    write(sorted(files.items()), bundle)


def test_an_audit_never_reads_parquet(
    packed_other: Path, packed: Callable[[str], Path], tmp_path: Path, read: list[str]
) -> None:
    """Parquet that hides a finding is not read, although a bundle made anew vouches for it."""
    honest, bundle = packed("coins") / "archive", tmp_path / "spring.jsonl.zst"
    shutil.copy(packed_other / "archive" / bundle.name, bundle)
    shutil.copytree(honest / PARQUET, tmp_path / PARQUET)
    vouching(bundle, orjson.loads(Bundle(honest / bundle.name).read(LIST))["games"])
    read.clear()
    with open_database([tmp_path], current_only=True) as database:
        assert len(read) == database.logs
        assert {one.rule.id for one in audit(database).findings} >= {"coins/result_not_the_count"}


@pytest.mark.usefixtures("_packed")
def test_a_bundle_that_vouches_for_nothing(tmp_path: Path, read: list[str]) -> None:
    """A bundle of an older Koth is read, with a reason; packing makes it vouch for its tables.

    There is no reason for tables of a game that is not installed: the errors about its logs say so.
    """
    bytes = tree(tmp_path / "archive")
    bundle = tmp_path / "archive" / "spring.jsonl.zst"
    for games in (None, {}, {"coins": 1}, {"../coins": {"shape": "", "files": {}}}):
        vouching(bundle, games)
        read.clear()
        with open_database([bundle]) as database:
            assert len(read) == database.logs
            reasons = [reason.partition(": ")[0] for reason in database.rejected]
            assert reasons == [str(bundle)] * ("../coins" not in (games or ()))
        pack([], tmp_path / "archive")
        assert tree(tmp_path / "archive") == bytes


@pytest.mark.usefixtures("_packed")
def test_a_bundle_that_vouches_for_what_is_no_table(tmp_path: Path) -> None:
    """Files that an attacker made, and vouches for, are damaged tables: a sentence, and no more."""
    archive, bundle = tmp_path / "archive", tmp_path / "archive" / "spring.jsonl.zst"
    games = orjson.loads(Bundle(bundle).read(LIST))["games"]
    [file] = (archive / PARQUET / "matches").glob("*/*.parquet")
    columns = tmp_path / "columns.parquet"
    duckdb.execute(f"COPY (SELECT 1 AS one) TO '{columns}' (FORMAT parquet)")
    for content in (b"", b"PAR1xxxxPAR1", columns.read_bytes()):
        file.write_bytes(content)
        games["coins"]["files"]["matches"] = sha256(content).hexdigest()
        vouching(bundle, games)
        with pytest.raises(
            AuditError, match=f"^{bundle}: the tables beside it are damaged: .*\\. R"
        ):
            open_database([archive])


def forged(bundle: Path, table: str, sql: str) -> None:
    """Replace a table beside a bundle by a query of it, and vouch for the result."""
    games = orjson.loads(Bundle(bundle).read(LIST))["games"]
    [file] = (bundle.parent / PARQUET / table).glob(f"*/{bundle.name.partition('.')[0]}.parquet")
    content = bundle.parent / "content.parquet"
    source = f"WITH rows AS (FROM read_parquet('{file}', hive_partitioning = false))"
    duckdb.execute(f"COPY ({source} {sql}) TO '{content}' (FORMAT parquet)")
    file.write_bytes(content.read_bytes())
    games["coins"]["files"][table] = sha256(content.read_bytes()).hexdigest()
    content.unlink()
    vouching(bundle, games)


def test_rows_about_logs_of_another_bundle_are_left_out(packed_pair: Path, tmp_path: Path) -> None:
    """An attacker's tables add nothing to another tournament, and name no log that is not there."""
    expected = asked("coins", packed_pair / "a", packed_pair / "b", together=True)
    logs = 1 + len([*(packed_pair / "a" / "matches").iterdir()])
    shifts = f"(VALUES (0), (-99), ({logs}), (99), (NULL)) _(n)"
    sql = f"SELECT rows.* REPLACE (log + n AS log) FROM rows, {shifts}"
    for table in ("logs", "matches", "answered", "coins_acted") if LONG_RUN else ("matches",):
        archive = tmp_path / table
        shutil.copytree(packed_pair / "archive", archive)
        for name in ("a", "b"):
            forged(archive / f"{name}.jsonl.zst", table, sql)
        assert asked("coins", archive, together=True) == expected, table


@pytest.mark.parametrize(("table", "column"), [("matches", "reason"), ("coins_acted", "actions")])
def test_the_message_names_the_bundle_with_the_damaged_tables(
    table: str, column: str, packed_games: Path, tmp_path: Path
) -> None:
    """Of several bundles it is the one whose tables lack a column."""
    shutil.copytree(packed_games / "archive", tmp_path / "archive")
    bundle = tmp_path / "archive" / "b.jsonl.zst"
    forged(bundle, table, f"SELECT * EXCLUDE ({column}) FROM rows")
    with pytest.raises(AuditError, match=f"^{bundle}: the tables beside it are damaged: "):
        open_database([tmp_path / "archive"])


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("* EXCLUDE (reason)", "/b.jsonl.zst: "),
        ("* REPLACE (['x'] AS scores)", ": one of 2 bundles: "),
        (
            "* REPLACE ([struct_update(players[1], seat := 9223372036854775807)] AS players)",
            ": one of 2 bundles: ",
        ),
    ],
)
def test_damaged_tables_that_are_read_later(
    sql: str, named: str, packed_pair: Path, tmp_path: Path
) -> None:
    """DuckDB reads the second bundle of a game when a query needs it: the same message then."""
    shutil.copytree(packed_pair / "archive", tmp_path / "archive")
    forged(tmp_path / "archive" / "b.jsonl.zst", "matches", f"SELECT {sql} FROM rows")
    message = f"^{tmp_path}/archive{named}the tables beside it are damaged: .*again$"
    with open_database([tmp_path / "archive"]) as database:
        for question in (leaderboards, tables):
            with pytest.raises(AuditError, match=message):
                question(database)


def test_a_damaged_view_of_an_archive(packed_pair: Path, tmp_path: Path) -> None:
    """Views are read with the question: its error at the end is that of the damaged tables."""
    shutil.copytree(packed_pair / "archive", tmp_path / "archive")
    forged(tmp_path / "archive" / "a.jsonl.zst", "coins_acted", "FROM rows LIMIT 0")
    forged(tmp_path / "archive" / "b.jsonl.zst", "coins_acted", "SELECT * EXCLUDE (log) FROM rows")
    with (
        pytest.raises(AuditError, match=r"/b\.jsonl\.zst: the tables beside it are damaged: "),
        open_database([tmp_path / "archive"]) as database,
    ):
        non_empty(database, tables(database))


@pytest.mark.parametrize("column", sampled({c: c for c in ("seat", "name", "bot")}, ["name"]))
@pytest.mark.usefixtures("_packed")
def test_a_player_without_a_name_is_left_out(column: str, tmp_path: Path) -> None:
    """An attacker's matches may have players that no log has; nobody can play against them."""
    nothing = f"[struct_update(players[1], {column} := NULL)]"
    sql = f"SELECT * REPLACE ({nothing} || players[2:] AS players) FROM rows"
    forged(tmp_path / "archive" / "spring.jsonl.zst", "matches", sql)
    with open_database([tmp_path / "archive"]) as database:
        assert query(database, "SELECT min(seat) FROM players").rows == [(1,)]
        [rated] = ratings(database).values()
        assert all(name for _, _, name, *_ in rated.rows)


@pytest.mark.usefixtures("_packed")
def test_rules_that_are_no_text_are_not_known(tmp_path: Path, read: list[str]) -> None:
    """The bundle is read instead of an attacker's tables with such rules."""
    bundle = tmp_path / "archive" / "spring.jsonl.zst"
    forged(bundle, "logs", "SELECT * REPLACE ([rules] AS rules) FROM rows")
    read.clear()
    with open_database([tmp_path / "archive"]) as database:
        assert len(read) == database.logs


@pytest.mark.usefixtures("_packed")
def test_a_list_of_logs_without_rules_is_named(tmp_path: Path, read: list[str]) -> None:
    """The bundle is read instead of an attacker's tables without that column, with a reason."""
    bundle = tmp_path / "archive" / "spring.jsonl.zst"
    forged(bundle, "logs", "SELECT 1 AS one")
    read.clear()
    with open_database([tmp_path / "archive"]) as database:
        assert len(read) == database.logs
        assert database.rejected == [f"{bundle}: its Parquet files have no list of its logs"]


@pytest.mark.usefixtures("_packed")
def test_a_match_without_scores_does_not_count(tmp_path: Path) -> None:
    """An attacker's table of matches may lack the scores; comparisons are then without them."""
    bundle = tmp_path / "archive" / "spring.jsonl.zst"
    forged(bundle, "matches", "SELECT * REPLACE ([]::BIGINT[] AS scores) FROM rows")
    with open_database([tmp_path / "archive"]) as database, pytest.raises(NothingToDo):
        leaderboards(database)


@pytest.mark.usefixtures("_packed")
def test_what_is_read_is_what_was_checked(tmp_path: Path) -> None:
    """A Parquet file that changes after it was checked does not change what a query says."""
    with open_database([tmp_path / "archive"]) as database:
        expected = query(database, "FROM matches").rows
        for path in (tmp_path / "archive" / PARQUET).rglob("*.parquet"):
            path.write_bytes(b"")
        assert query(database, "FROM matches").rows == expected


@pytest.mark.usefixtures("_packed")
def test_tables_of_another_shape_are_not_used(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When Koth has other columns than it had, the bundle is read, and packed again."""
    monkeypatch.setattr("audit.loading.parquet.shape", lambda game: "new")
    read.clear()
    with open_database([tmp_path / "archive"]) as database:
        assert len(read) == database.logs
    pack([], tmp_path / "archive")
    read.clear()
    with open_database([tmp_path / "archive"]):
        assert read == ["tournament.jsonl"]


def test_a_match_with_two_results(tmp_path: Path, read: list[str]) -> None:
    """The tables have just the first, so that such a tournament is read from its bundle."""
    made = coin_games.tournament()
    events = made.matches["1-000001"]
    events.insert(-1, events[-1])
    made.write(tmp_path / "spring")
    pack([tmp_path / "spring"], tmp_path / "archive")
    read.clear()
    told = []
    for at in (tmp_path / "spring", tmp_path / "archive"):
        with open_database([at], current_only=True) as database:
            told.append([(one.rule.id, one.match, one.seq) for one in audit(database).findings])
    assert told[0] == told[1]
    assert "log/result_not_at_the_end" in {rule for rule, _, _ in told[0]}
    assert len(read) == 2 * 4
    results = []
    for at in (tmp_path / "spring", tmp_path / "archive"):
        with open_database([at]) as database:
            sql = "SELECT count(*) FROM events WHERE type = 'match_finished'"
            results.append(query(database, sql).rows)
    assert results[0] == results[1]
    before = tree(tmp_path / "archive")
    pack([], tmp_path / "archive")
    assert tree(tmp_path / "archive") == before


def test_bulk_events_are_packed_the_same_each_time(tmp_path: Path) -> None:
    """A long game's tables say what its folder says, and their bytes are always the same."""
    spring = tmp_path / "spring"
    player = lambda match: factories.at_random(random.Random(match.id), 3)  # noqa: E731
    settings = {"seats": 3, "rounds": 150, "games_per_entrant": 3}
    hold("smallest_unique", ("Anna", "Ben", "Cleo"), player, **settings).write(spring)
    for archive in ("one", "two"):
        pack([spring], tmp_path / archive)
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    assert asked("smallest_unique", tmp_path / "one") == asked("smallest_unique", spring)


def test_a_table_holds_events_that_are_not_in_bulk_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games of which only some are long enough for bulk keep all their rounds in an archive."""
    split = lambda data: None if b'"match":"1-000001"' in data else split_log(data)  # noqa: E731
    monkeypatch.setattr("audit.loading.strict.split_log", split)
    player = lambda match: factories.at_random(random.Random(match.id), 3)  # noqa: E731
    settings = {"seats": 3, "rounds": 100, "games_per_entrant": 2}
    hold("smallest_unique", ("Anna", "Ben", "Cleo"), player, **settings).write(tmp_path / "spring")
    pack([tmp_path / "spring"], tmp_path / "archive")
    with open_database([tmp_path / "archive"]) as database:
        counted = "SELECT count(DISTINCT match), count(*) FROM smallest_unique_round"
        assert query(database, counted).rows == [(6, 600)]


@pytest.mark.usefixtures("_packed")
def test_queries_leave_the_tables_alone(tmp_path: Path) -> None:
    """No query writes into the files that the tables are read from."""
    before = tree(tmp_path)
    [path] = (tmp_path / "archive" / PARQUET / "faults").rglob("*.parquet")
    with open_database([tmp_path / "archive"]) as database:
        for sql in (
            "COPY (SELECT 1) TO '{}' (use_tmp_file false)",
            "SELECT 'ÄÖ'; copy matches TO '{}' (FORMAT parquet, use_tmp_file false)",
            "EXPLAIN ANALYZE COPY matches TO '{}' (FORMAT parquet, use_tmp_file false)",
            "PREPARE p AS COPY matches TO '{}' (use_tmp_file false); EXECUTE p",
            "EXPORT DATABASE '{}'",
        ):
            with pytest.raises(QueryError, match="cannot access files"):
                query(database, sql.format(path))
        assert query(database, "SELECT 'copy' AS \"copy\"").rows == [("copy",)]
    assert tree(tmp_path) == before


def test_folders_and_archives_are_asked_together(packed: Callable[[str], Path]) -> None:
    """Tournaments in a folder and in an archive are one history."""
    one, two = packed("coins"), packed("coup") / "spring"
    assert asked("coins", one / "archive", two) == asked("coins", one / "spring", two)


@each_game
def test_other_engines_read_the_same_tables(game: str, tmp_path: Path) -> None:
    """PyArrow reads the same rows from a bundle's tables as ``koth sql`` shows."""
    pack([played(tmp_path / name, game) for name in ("spring", "autumn")], tmp_path / "archive")
    folders = {path.name for path in (tmp_path / "archive" / PARQUET).iterdir()}
    assert folders == set(names(game))
    read = {
        table: parquet.read_table(tmp_path / "archive" / PARQUET / table).to_pylist()
        for table in folders
    }
    for name in ("autumn", "spring"):
        bundle = tmp_path / "archive" / f"{name}.jsonl.zst"
        with open_database([bundle], bare=True) as database:
            for table, rows in read.items():
                found = [row for row in rows if row["bundle"] == name]
                assert comparable(found) == comparable(expected(database, table, bundle))
    assert sum(map(bool, read.values())) > 10


def expected(database: Database, table: str, bundle: Path) -> list[dict[str, Any]]:
    """The rows of a table of the bundle, as they should be in Parquet."""
    found = query(database, f"FROM {table}")
    rows: list[dict[str, Any]] = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    for row in rows:
        row.update(bundle=bundle.name.partition(".")[0])
        row.setdefault("game", database.games[0])
        if "path" in row:
            row["path"] = row["path"].removeprefix(f"{bundle}/")
    return rows


def comparable(rows: list[dict[str, Any]]) -> list[bytes]:
    """Rows in an order of their own."""
    return sorted(orjson.dumps(row, option=orjson.OPT_SORT_KEYS, default=int) for row in rows)
