"""Archives: lossless, one byte layout for the same tournaments, and Parquet that others read."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as parquet  # type: ignore[import-untyped]
import pytest

from audit.archive import ArchiveError, pack, unpack
from audit.checks import audit
from audit.errors import QueryError
from audit.leaderboard import leaderboards
from audit.models import SQL, models_of, table_prefix
from audit.query import query
from audit.ready import LEFT_OUT
from audit.tables import Database, open_database
from audit.vouched import LIST, PARQUET
from replay.verify import verify_all
from schema import registry
from schema.bundle import Bundle, write
from schema.errors import CorruptLog, NothingToDo, UsageError
from schema.folder import logs
from tests import making
from tests.audit import bank_heists, coin_games, unique_games
from tests.audit.contest import Contest, contest
from tests.audit.holding import hold
from tests.sampling import sampled

CONTESTS: dict[str, Callable[[], Contest]] = {
    "bank_heist": bank_heists.series,
    "coins": coin_games.tournament,
    "coup": contest,
    "smallest_unique": unique_games.tournament,
}
each_game = pytest.mark.parametrize(
    "game", sampled({game: game for game in CONTESTS}, ["coup", "smallest_unique"])
)
"""In the suite a game of events one by one, and the one with events in bulk."""


def played(folder: Path, game: str = "coins") -> Path:
    """A tournament of a game, with evidence of its first match."""
    CONTESTS[game]().write(folder)
    first = sorted((folder / "matches").iterdir())[0]
    (folder / "evidence").mkdir()
    notes = b'{"format":"koth-evidence/1"}\n{"seq":1,"seat":0,"ask":"turn","ms":2.5}\n{"torn\xff'
    (folder / "evidence" / first.name).write_bytes(notes)
    (folder / "evidence" / "nothing.jsonl").write_bytes(b"")
    (folder / "checkpoint").write_bytes(b"origin\r\n7\n")
    return folder


def other(folder: Path) -> Path:
    """A tournament of coins that differs from that of ``played`` in one result."""
    made = coin_games.tournament()
    match = sorted(made.matches)[0]
    [end] = [event for event in made.matches[match] if event["type"] == "match_finished"]
    end["winners"] = [0, 1] if end["winners"] != [0, 1] else [0]
    end["reason"] = "other"
    made.write(folder)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def names(game: str) -> list[str]:
    """The tables of a tournament of a game that are in an archive as Parquet."""
    typed = [f"{table_prefix(game)}_{model.type}" for model in models_of(registry.card(game))]
    shared = sorted(path.stem for path in (SQL / "tables").glob("*.sql"))
    return [*typed, *(name for name in shared if name not in LEFT_OUT)]


def asked(game: str, *paths: Path) -> dict[str, list[Any]]:
    """The rows of all tables, in no order, but of those that say where the logs lie."""
    tables = {*names(game), *LEFT_OUT, "events"}.difference(("logs", "unread"))
    with open_database(paths, bare=True) as database:
        return {name: sorted(query(database, f"FROM {name}").rows, key=repr) for name in tables}


# --- packing and unpacking -----------------------------------------------------------------------


@each_game
def test_every_byte_comes_back(game: str, tmp_path: Path) -> None:
    """A tournament of each game, packed and unpacked, is the same tournament."""
    spring = played(tmp_path / "spring", game)
    pack([spring], tmp_path / "archive")
    assert unpack(tmp_path / "archive", tmp_path / "back") == ["spring"]
    assert tree(tmp_path / "back" / "spring") == tree(spring)


def test_the_seed_stays_and_so_does_what_is_no_part(tmp_path: Path) -> None:
    """Neither the private seed nor other files beside a tournament go into an archive."""
    spring = played(tmp_path / "spring")
    expected = tree(spring)
    for other in ("seed.private", "matches/seed.private", "notes.txt", "bots/mine.py"):
        (spring / other).parent.mkdir(exist_ok=True)
        (spring / other).write_text("secret")
    pack([spring], tmp_path / "archive")
    unpack(tmp_path / "archive", tmp_path / "back")
    assert tree(tmp_path / "back" / "spring") == expected


def test_order_and_number_of_steps_do_not_matter(tmp_path: Path) -> None:
    """Tournaments packed in any order, at once or one after the other, are the same archive."""
    one, two, three = (
        played(tmp_path / name, game)
        for name, game in (("one", "coins"), ("two", "coup"), ("three", "coins"))
    )
    pack([one, two, three], tmp_path / "a")
    pack([three, two, one, two], tmp_path / "b")
    for path in (two, three, one):
        done = pack([path], tmp_path / "c")
        assert [packed.bundle.name for packed in done if packed.new] == [path.name]
    assert tree(tmp_path / "a") == tree(tmp_path / "b") == tree(tmp_path / "c")


def test_packing_again_changes_nothing(tmp_path: Path) -> None:
    """What is there already is not even written again."""
    spring = played(tmp_path / "spring")
    pack([spring], tmp_path / "archive")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "archive").rglob("*")}
    [done] = pack([spring], tmp_path / "archive")
    assert not done.new
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "archive").rglob("*")} == before


@pytest.mark.parametrize("lost", [PARQUET, f"{PARQUET}/logs", None])
def test_tables_are_made_again_from_the_bundles(lost: str | None, tmp_path: Path) -> None:
    """Tables that are not there, or are those of another bundle, are made again, byte by byte."""
    pack([played(tmp_path / "spring")], tmp_path / "archive")
    expected = tree(tmp_path / "archive")
    if lost:
        (tmp_path / "archive" / lost).rename(tmp_path / "lost")
    else:
        pack([other(tmp_path / "other" / "spring")], tmp_path / "others")
        (tmp_path / "archive" / PARQUET).rename(tmp_path / "lost")
        (tmp_path / "others" / PARQUET).rename(tmp_path / "archive" / PARQUET)
    assert tree(tmp_path / "archive") != expected
    pack([], tmp_path / "archive")
    assert tree(tmp_path / "archive") == expected


def test_one_bundle_can_be_unpacked(tmp_path: Path) -> None:
    """A bundle named by itself is unpacked without the others."""
    pack([played(tmp_path / "one"), played(tmp_path / "two", "coup")], tmp_path / "archive")
    assert unpack(tmp_path / "archive" / "two.jsonl.zst", tmp_path / "back") == ["two"]
    assert tree(tmp_path / "back") == {
        f"two/{name}": content for name, content in tree(tmp_path / "two").items()
    }


# --- refusals ------------------------------------------------------------------------------------


def refused(tmp_path: Path, error: type[Exception], words: str, *folders: Path) -> None:
    """Packing these folders is refused, and nothing in ``tmp_path`` is changed by it."""
    before = tree(tmp_path)
    with pytest.raises(error, match=words):
        pack(folders, tmp_path / "archive")
    assert tree(tmp_path) == before
    assert not list(tmp_path.rglob("*.tmp"))


def test_an_unsealed_tournament_is_refused(tmp_path: Path) -> None:
    """A tournament whose log has no seal is named, and those beside it are not packed either."""
    one, two = played(tmp_path / "one"), played(tmp_path / "two")
    log = two / "tournament.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    refused(tmp_path, ArchiveError, "^two: this tournament is not sealed", one, two)
    assert ArchiveError.exit_code == 1


def test_a_corrupt_tournament_is_refused(tmp_path: Path) -> None:
    """A tournament whose log was changed is a finding."""
    spring = played(tmp_path / "spring")
    log = spring / "tournament.jsonl"
    log.write_bytes(log.read_bytes().replace(b"Anna", b"Anne"))
    refused(tmp_path, CorruptLog, "changed after it was sealed", spring)


def test_what_is_no_tournament_is_refused(tmp_path: Path) -> None:
    """A folder without a tournament's log, or none at all, is wrong usage."""
    (tmp_path / "empty").mkdir()
    refused(tmp_path, UsageError, "expected a tournament's folder", tmp_path / "empty")
    refused(tmp_path, UsageError, "gone: there is no such folder", tmp_path / "gone")
    refused(tmp_path, NothingToDo, "expected tournaments to pack")


def test_an_archive_is_not_packed_again(tmp_path: Path) -> None:
    """An archive, or a bundle of one, is no tournament."""
    pack([played(tmp_path / "spring")], tmp_path / "other")
    for path in (tmp_path / "other", tmp_path / "other" / "spring.jsonl.zst"):
        refused(tmp_path, UsageError, "found an archive, which is packed already", path)


def test_two_tournaments_of_one_name_are_refused(tmp_path: Path) -> None:
    """Neither two folders of one name, nor one that is another in the archive, are packed."""
    one, two = played(tmp_path / "one" / "spring"), played(tmp_path / "two" / "spring", "coup")
    refused(tmp_path, UsageError, "have one name", one, two)
    pack([one], tmp_path / "archive")
    refused(tmp_path, UsageError, "there is another tournament called spring", two)
    (one / "checkpoint").write_text("changed")
    refused(tmp_path, UsageError, "there is another tournament called spring", one)


def test_an_attempt_that_was_killed_does_not_matter(tmp_path: Path) -> None:
    """What an earlier attempt left half-written is no reason to refuse the archive."""
    spring = played(tmp_path / "spring")
    (tmp_path / "archive").mkdir()
    half = tmp_path / "archive" / ".koth-0123456789abcdef.tmp"
    half.write_bytes(b"half")
    pack([spring], tmp_path / "archive")
    assert list((tmp_path / "archive").glob(".*")) == [half]


def test_links_are_refused(tmp_path: Path) -> None:
    """What is neither file nor folder is not packed: it would come back as something else."""
    spring = played(tmp_path / "spring")
    (spring / "matches" / "link.jsonl").symlink_to(spring / "checkpoint")
    refused(tmp_path, UsageError, r"link.jsonl: expected a file or a folder", spring)


def test_an_archive_goes_into_a_folder_of_its_own(tmp_path: Path) -> None:
    """A file, a folder of other things, or the tournament itself cannot be the archive."""
    spring = played(tmp_path / "spring")
    (tmp_path / "file").write_text("")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("")
    for name, words in [
        ("file", "found a file"),
        ("other", "found other things"),
        ("spring", "cannot lie in a tournament"),
        ("spring/archive", "cannot lie in a tournament"),
    ]:
        with pytest.raises(UsageError, match=words):
            pack([spring], tmp_path / name)


def test_unpacking_writes_over_nothing(tmp_path: Path) -> None:
    """When one of the folders is there, nothing is unpacked; other things may be there."""
    pack([played(tmp_path / "one"), played(tmp_path / "two", "coup")], tmp_path / "archive")
    (tmp_path / "back" / "two").mkdir(parents=True)
    with pytest.raises(UsageError, match="two: expected nothing there"):
        unpack(tmp_path / "archive", tmp_path / "back")
    assert [path.name for path in (tmp_path / "back").iterdir()] == ["two"]
    (tmp_path / "back" / "two").rename(tmp_path / "back" / "three")
    unpack(tmp_path / "archive", tmp_path / "back")
    assert sorted(path.name for path in (tmp_path / "back").iterdir()) == ["one", "three", "two"]


def test_nothing_to_unpack(tmp_path: Path) -> None:
    """A folder without bundles holds nothing to unpack; one that is not there is wrong usage."""
    with pytest.raises(NothingToDo, match="no bundle"):
        unpack(tmp_path, tmp_path / "back")
    with pytest.raises(UsageError, match="no such file or folder"):
        unpack(tmp_path / "gone", tmp_path / "back")


def test_a_changed_byte_is_named_by_all(tmp_path: Path) -> None:
    """Wherever a bundle is damaged: verify, the tables, pack and unpack name it and do no more."""
    spring = played(tmp_path / "spring")
    pack([spring, played(tmp_path / "autumn", "coup")], tmp_path / "archive")
    path = tmp_path / "archive" / "spring.jsonl.zst"
    data = path.read_bytes()
    for at in range(0, len(data), len(data) // 8):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        verdicts = {one.path: one.verdict for one in verify_all(logs([tmp_path / "archive"]))}
        assert verdicts.pop(str(path)) == "corrupt"
        assert set(verdicts.values()) == {"verified"}
        with pytest.raises(CorruptLog, match=f"^{path}: the bundle is damaged"):
            unpack(tmp_path / "archive", tmp_path / "back")
        with pytest.raises(CorruptLog, match=f"^{path}: the bundle is damaged"):
            pack([spring], tmp_path / "archive")
    with open_database([tmp_path / "archive"]) as database:
        assert query(database, "SELECT path, verdict FROM unread").rows == [(str(path), "corrupt")]
        assert database.games == ("coup",)
    assert not (tmp_path / "back").exists()
    assert not list(tmp_path.glob(".*"))


# --- what is asked of an archive -----------------------------------------------------------------


@each_game
def test_an_archive_says_what_the_folder_says(game: str, tmp_path: Path) -> None:
    """The verdicts and all tables are the same, evidence included."""
    spring = played(tmp_path / "spring", game)
    pack([spring], tmp_path / "archive")
    here, there = (
        [(one.path.removeprefix(str(at)), one.verdict) for one in verify_all(logs([at]))]
        for at in (spring, tmp_path / "archive" / "spring.jsonl.zst")
    )
    assert there == here
    assert asked(game, tmp_path / "archive") == asked(game, spring)


def test_an_archive_is_audited_as_the_folder_is(tmp_path: Path) -> None:
    """Findings and leaderboards are the same: here of a match that says another winner."""
    pack([with_another_winner(tmp_path / "spring")], tmp_path / "archive")
    told = []
    for at in (tmp_path / "spring", tmp_path / "archive"):
        with open_database([at], current_only=True) as database:
            found = [(one.rule.id, one.match, one.seq) for one in audit(database).findings]
            told.append((found, leaderboards(database)))
    assert told[0] == told[1]
    assert told[0][0]


def test_the_matches_of_an_archive_are_not_read_again(tmp_path: Path, read: list[str]) -> None:
    """Their tables lie beside the bundle; a match of it that is named alone is read."""
    pack([played(tmp_path / "spring")], tmp_path / "archive")
    read.clear()
    with open_database([tmp_path / "archive"]) as database:
        assert database.logs > 2
    assert read == ["tournament.jsonl"]
    with open_database([tmp_path / "archive" / "spring.jsonl.zst" / "matches"]) as database:
        assert len(read) == 1 + database.logs


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


def test_tables_that_are_not_the_bundles_are_not_used(tmp_path: Path, read: list[str]) -> None:
    """The bundle is read instead, and says the same as ever; packing makes the tables again."""
    pack([played(tmp_path / "spring")], tmp_path / "archive")
    expected, bytes = asked("coins", tmp_path / "archive"), tree(tmp_path / "archive")
    pack([other(tmp_path / "other" / "spring")], tmp_path / "others")
    for change in (replaced, one_lost, one_replaced, no_parquet, linked):
        change(tmp_path / "archive", tmp_path / "others")
        assert tree(tmp_path / "archive") != bytes, change
        read.clear()
        assert asked("coins", tmp_path / "archive") == expected, change
        assert len(read) > 2, change
        (tmp_path / "archive" / "elsewhere").unlink(missing_ok=True)
        pack([], tmp_path / "archive")
        assert tree(tmp_path / "archive") == bytes, change


def vouching(bundle: Path, games: dict[str, Any] | None) -> None:
    """Make the bundle again, with another list of Parquet files or none."""
    old = Bundle(bundle)
    files = {entry.file: old.read(entry.file) for entry in old.entries}
    del files[LIST]
    if games is not None:
        files[LIST] = orjson.dumps({"format": "koth-parquet/1", "games": games})
    write(sorted(files.items()), bundle)


def with_another_winner(folder: Path) -> Path:
    """A tournament of coup in which a match names the wrong winner."""
    made = contest()
    match = sorted(made.matches)[0]
    made.matches[match][-1]["winners"] = [1 - seat for seat in made.matches[match][-1]["winners"]]
    made.write(folder)
    return folder


def swapped(tmp_path: Path) -> Path:
    """An archive with a finding, made by an attacker to vouch for the Parquet of honest matches."""
    pack([with_another_winner(tmp_path / "spring")], tmp_path / "archive")
    pack([played(tmp_path / "honest" / "spring", "coup")], tmp_path / "honest" / "archive")
    shutil.rmtree(tmp_path / "archive" / PARQUET)
    shutil.copytree(tmp_path / "honest" / "archive" / PARQUET, tmp_path / "archive" / PARQUET)
    honest = orjson.loads(Bundle(tmp_path / "honest" / "archive" / "spring.jsonl.zst").read(LIST))
    vouching(tmp_path / "archive" / "spring.jsonl.zst", honest["games"])
    return tmp_path / "archive"


def test_an_audit_never_reads_parquet(tmp_path: Path, read: list[str]) -> None:
    """Parquet that hides a finding is not read, although a bundle made anew vouches for it."""
    archive = swapped(tmp_path)
    read.clear()
    with open_database([archive], current_only=True) as database:
        assert len(read) == database.logs
        assert {one.rule.id for one in audit(database).findings} >= {"coup/elimination_not_scored"}


def test_a_bundle_that_vouches_for_nothing(tmp_path: Path, read: list[str]) -> None:
    """A bundle of an older Koth is read, with a reason; packing makes it vouch for its tables."""
    pack([played(tmp_path / "spring")], tmp_path / "archive")
    bytes = tree(tmp_path / "archive")
    bundle = tmp_path / "archive" / "spring.jsonl.zst"
    for games in (None, {}, {"coins": 1}, {"../coins": {"shape": "", "files": {}}}):
        vouching(bundle, games)
        read.clear()
        with open_database([bundle]) as database:
            assert len(read) == database.logs
            [reason] = database.passed_over
            assert reason.startswith(f"{bundle}: ")
        pack([], tmp_path / "archive")
        assert tree(tmp_path / "archive") == bytes


def test_what_is_read_is_what_was_checked(tmp_path: Path) -> None:
    """A Parquet file that changes after it was checked does not change what a query says."""
    pack([played(tmp_path / "spring")], tmp_path / "archive")
    with open_database([tmp_path / "archive"]) as database:
        expected = query(database, "FROM matches").rows
        for path in (tmp_path / "archive" / PARQUET).rglob("*.parquet"):
            path.write_bytes(b"")
        assert query(database, "FROM matches").rows == expected


def test_tables_of_another_shape_are_not_used(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When Koth has other columns than it had, the bundle is read, and packed again."""
    pack([played(tmp_path / "spring")], tmp_path / "archive")
    monkeypatch.setattr("audit.ready.shape", lambda game: "new")
    read.clear()
    with open_database([tmp_path / "archive"]) as database:
        assert len(read) == database.logs
    pack([], tmp_path / "archive")
    read.clear()
    with open_database([tmp_path / "archive"]):
        assert read == ["tournament.jsonl"]


def test_a_match_with_two_results(tmp_path: Path, read: list[str]) -> None:
    """The tables have just the first, so that such a tournament is read from its bundle."""
    made = contest()
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
    assert len(read) == 2 * 13
    before = tree(tmp_path / "archive")
    pack([], tmp_path / "archive")
    assert tree(tmp_path / "archive") == before


def test_bulk_events_are_packed_the_same_each_time(tmp_path: Path) -> None:
    """A long game's tables say what its folder says, and their bytes are always the same."""
    spring = tmp_path / "spring"
    player = lambda match: making.at_random(random.Random(match.id), 3)  # noqa: E731
    settings = {"seats": 3, "rounds": 150, "games_per_entrant": 3}
    hold("smallest_unique", ("Anna", "Ben", "Cleo"), player, **settings).write(spring)
    for archive in ("one", "two"):
        pack([spring], tmp_path / archive)
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    assert asked("smallest_unique", tmp_path / "one") == asked("smallest_unique", spring)


def test_queries_leave_the_tables_alone(tmp_path: Path) -> None:
    """No query writes into the files that the tables are read from."""
    pack([played(tmp_path / "spring")], tmp_path / "archive")
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
            with pytest.raises(QueryError, match="cannot touch files"):
                query(database, sql.format(path))
        assert query(database, "SELECT 'copy' AS \"copy\"").rows == [("copy",)]
    assert tree(tmp_path) == before


def test_folders_and_archives_are_asked_together(tmp_path: Path) -> None:
    """Tournaments in a folder and in an archive are one history."""
    one, two = played(tmp_path / "one"), played(tmp_path / "two", "coup")
    pack([one], tmp_path / "archive")
    assert asked("coins", tmp_path / "archive", two) == asked("coins", one, two)


@each_game
def test_other_engines_read_the_same_tables(game: str, tmp_path: Path) -> None:
    """What PyArrow reads of each bundle in an archive is what ``koth sql`` shows of it."""
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
