"""The cache of folders: it gives what the logs hold, and every change to them is noticed."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import duckdb
import pytest

from audit import cache, spool
from audit.archive import pack
from audit.checks import audit
from audit.leaderboard import leaderboards
from audit.query import query, tables
from audit.raw import BulkTables
from audit.ready import PARQUET
from audit.tables import open_database
from schema import registry
from tests import making
from tests.audit import bank_heists, coin_games, unique_games
from tests.audit.contest import Contest, contest
from tests.audit.doctoring import turn
from tests.sampling import sampled

CONTESTS: dict[str, Callable[[], Contest]] = {
    "bank_heist": bank_heists.series,
    "coins": coin_games.tournament,
    "coup": contest,
    "smallest_unique": unique_games.tournament,
}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a cache that also takes what is small and new."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(cache.CACHE, str(folder))
    monkeypatch.setattr(cache, "LEAST", 0)
    monkeypatch.setattr(cache, "RACY", 0)
    cache._reading.cache_clear()
    return folder


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with two logs, ``one.jsonl`` and ``two.jsonl``."""
    for name in ("one", "two"):
        write(tmp_path / "logs" / f"{name}.jsonl")
    return tmp_path / "logs"


def write(path: Path) -> None:
    """Write a log of one turn."""
    log = turn("I\n")
    making.write(path, log.events, log.seed)


def bulky(path: Path) -> None:
    """Write a log with bulk events."""
    player = making.at_random(random.Random(1), 4)
    settings: dict[str, Any] = {"players": 4, "seats": 4, "rounds": 150}
    path.write_bytes(making.sealed(making.match_events(player, game="smallest_unique", **settings)))


def entries(folder: Path) -> set[str]:
    """The names of the files in the cache."""
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


def opened(*paths: Path) -> list[tuple[object, ...]]:
    """The paths and the hashes of the logs, and what is said of unread files, as tables say it."""
    with open_database(paths, bare=True) as database:
        return [
            *query(database, "SELECT path, seal FROM logs LEFT JOIN matches USING (log)").rows,
            *query(database, "FROM unread").rows,
        ]


# --- the same rows -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", sampled({game: game for game in CONTESTS}, ["coup", "smallest_unique"])
)
def test_every_table_is_the_same(game: str, tmp_path: Path, kept: Path, read: list[str]) -> None:
    """Columns, types and rows of a game's tournament, with bulk, unread files and bundles."""
    folder = tmp_path / "logs"
    CONTESTS[game]().write(folder / "spring")
    CONTESTS["coins"]().write(tmp_path / "autumn")
    pack([tmp_path / "autumn"], folder / "ready")
    shutil.copytree(folder / "ready", folder / "bare", ignore=shutil.ignore_patterns(PARQUET))
    bulky(folder / "bulky.jsonl")
    (folder / "torn.jsonl").write_bytes(b'{"seq":0')
    (folder / "it's [odd].jsonl").write_bytes(b"")
    read.clear()

    def everything() -> object:
        with open_database([folder], bare=True) as database:
            told = tables(database)
            rows = {
                one.name: sorted(query(database, f'FROM "{one.name}"').rows, key=repr)
                for one in told
            }
            return database.games, database.logs, database.left_out, told, rows

    first = everything()
    assert len(read) > 4
    read.clear()
    assert everything() == first
    assert not read


def test_findings_and_leaderboards_are_the_same(
    tmp_path: Path, kept: Path, read: list[str]
) -> None:
    """Here of a tournament with a match that says another winner."""
    made = contest()
    match = sorted(made.matches)[0]
    made.matches[match][-1]["winners"] = [1 - seat for seat in made.matches[match][-1]["winners"]]
    made.write(tmp_path / "spring")
    told = []
    for _ in range(2):
        with open_database([tmp_path / "spring"], current_only=True) as database:
            told.append((audit(database), leaderboards(database)))
    assert told[0] == told[1]
    assert told[0][0].findings
    assert len(read) == len(set(read))


def test_evidence_is_read_each_time(tmp_path: Path, kept: Path, read: list[str]) -> None:
    """It is no part of the cache: a note that is new is there, while the logs are not read."""
    contest().write(tmp_path / "spring")
    first = sorted((tmp_path / "spring" / "matches").iterdir())[0]
    opened(tmp_path / "spring")
    read.clear()
    (tmp_path / "spring" / "evidence").mkdir()
    notes = b'{"format":"koth-evidence/1"}\n{"seq":1,"seat":0,"ask":"turn","ms":2.5}\n'
    (tmp_path / "spring" / "evidence" / first.name).write_bytes(notes)
    with open_database([tmp_path / "spring"]) as database:
        assert query(database, "SELECT ms FROM evidence").rows == [(2.5,)]
    assert not read


# --- what is noticed -----------------------------------------------------------------------------


def change(logs: Path) -> None:
    """Another log in the place of one, of the same size and with the same times."""
    path = logs / "one.jsonl"
    told, data = path.stat(), path.read_bytes()
    path.write_bytes(data[:-9] + b"0" * 6 + data[-3:])
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))


def replace(logs: Path) -> None:
    """Another file in the place of one."""
    shutil.copy2(logs / "one.jsonl", logs.parent / "copy")
    (logs.parent / "copy").replace(logs / "one.jsonl")


def swap(logs: Path) -> None:
    """Each of two files under the name of the other."""
    for old, new in (("one", "x"), ("two", "one"), ("x", "two")):
        (logs / f"{old}.jsonl").replace(logs / f"{new}.jsonl")


CHANGES: dict[str, Callable[[Path], object]] = {
    "changed": change,
    "longer": lambda logs: (logs / "one.jsonl").open("ab").write(b"\n"),
    "touched": lambda logs: (logs / "one.jsonl").touch(),
    "replaced": replace,
    "added": lambda logs: write(logs / "three.jsonl"),
    "removed": lambda logs: (logs / "one.jsonl").unlink(),
    "renamed": lambda logs: (logs / "one.jsonl").replace(logs / "four.jsonl"),
    "swapped": swap,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_noticed(
    name: str, logs: Path, kept: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever happens to a file or to the folder, the logs are read again."""
    opened(logs)
    CHANGES[name](logs)
    read.clear()
    found = opened(logs)
    assert sorted(read) == sorted(path.name for path in logs.iterdir())
    monkeypatch.setenv(cache.CACHE, cache.OFF)
    assert opened(logs) == found


def test_a_bundle_that_changes_is_noticed(tmp_path: Path, kept: Path, read: list[str]) -> None:
    """Another bundle under the same name is read, as another log is."""
    found = []
    for make in (contest, coin_games.tournament):
        shutil.rmtree(tmp_path / "spring", ignore_errors=True)
        shutil.rmtree(tmp_path / "archive", ignore_errors=True)
        make().write(tmp_path / "spring")
        pack([tmp_path / "spring"], tmp_path / "archive")
        shutil.rmtree(tmp_path / "archive" / PARQUET)
        found.append(opened(tmp_path / "archive"))
        read.clear()
        assert opened(tmp_path / "archive") == found[-1]
        assert not read
    assert found[0] != found[1]


def test_what_changed_just_now_is_not_kept(
    logs: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that could change once more without a sign is not trusted."""
    monkeypatch.setattr(cache, "RACY", 10**12)
    opened(logs)
    assert not entries(kept)


def test_what_changes_while_it_is_read_is_not_kept(
    logs: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between what was listed and what was read there was a change."""
    load = spool.load

    def changing(task: spool.Task) -> spool.Read | spool.Unread:
        (logs / "two.jsonl").touch()
        return load(task)

    monkeypatch.setattr("audit.spool.load", changing)
    opened(logs)
    assert not entries(kept)


def test_what_could_not_be_opened_is_tried_again(
    logs: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That a file could not be opened may be over the next time, so it is not kept."""

    def refused(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", refused)
        patched.setattr(cache, "_reading", lambda: "")
        with open_database([logs]) as database:
            assert database.unread == 2
    assert not entries(kept)


def test_another_library_reads_again(
    logs: Path, kept: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another version of DuckDB made is not used."""
    opened(logs)
    monkeypatch.setattr(duckdb, "__version__", "0")
    cache._reading.cache_clear()
    read.clear()
    opened(logs)
    assert len(read) == 2


def test_each_way_of_reading_is_kept_for_itself(
    logs: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs of older rules, which the audit does not know, and other Parquet; none for archives."""
    card = registry.card("coup")
    newer = card.current.model_copy(update={"name": "coup/2"})
    versions = {**card.versions, "coup/2": newer}
    later = card.model_copy(update={"rules": "coup/2", "versions": versions})
    monkeypatch.setattr(registry, "card", lambda name: later)
    monkeypatch.setattr(registry, "names", lambda: ["coup"])
    for _ in range(2):
        with open_database([logs]) as database:
            assert (database.logs, database.unread) == (2, 0)
        with open_database([logs], current_only=True) as database:
            assert (database.logs, database.unread) == (0, 2)
    with open_database([logs], bulk_tables=BulkTables("COMPRESSION zstd")):
        assert len(entries(kept)) == 3
    with open_database([logs], from_archives=False, bulk_tables=BulkTables("COMPRESSION gzip")):
        assert len(entries(kept)) == 3


# --- the folder ----------------------------------------------------------------------------------


def test_what_is_kept_is_the_users_own(
    logs: Path, tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lies where caches lie, for nobody else to read; and nothing else is written anywhere."""
    monkeypatch.delenv(cache.CACHE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    before = entries(logs)
    opened(logs)
    folder = tmp_path / "home" / "koth"
    [path] = folder.iterdir()
    assert (folder.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
    assert entries(logs) == before


@pytest.mark.parametrize("wrong", [b"", b"PK", None])
def test_a_damaged_file_is_made_again(
    wrong: bytes | None, logs: Path, kept: Path, read: list[str]
) -> None:
    """Emptied, cut or with one bit changed: it is not used, and put right."""
    found = opened(logs)
    [path] = kept.iterdir()
    data = path.read_bytes()
    middle = len(data) // 2
    path.write_bytes(
        data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :] if wrong is None else wrong
    )
    read.clear()
    assert opened(logs) == found
    assert len(read) == 2
    [path] = kept.iterdir()
    read.clear()
    assert opened(logs) == found
    assert not read


def test_without_a_folder(logs: Path, kept: Path) -> None:
    """Where no folder can be made everything works, without a cache."""
    kept.write_bytes(b"")
    assert opened(logs) == opened(logs)
    assert kept.read_bytes() == b""


def test_a_folder_that_all_can_write_to(logs: Path, kept: Path) -> None:
    """It is not used: others could put rows there."""
    kept.mkdir()
    kept.chmod(0o777)
    opened(logs)
    assert not entries(kept)


def test_a_full_disk(logs: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept and nothing is left behind; nobody notices."""

    def full(archive: ZipFile, path: Path, name: str) -> None:
        archive.writestr(name, b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ZipFile, "write", full)
    assert len(opened(logs)) == 2
    assert kept.exists()
    assert not entries(kept)


@pytest.mark.parametrize("off", ["off", "small"])
def test_when_nothing_is_kept(
    off: str, logs: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ``KOTH_CACHE=off``, and of logs that are read in no time."""
    if off == "off":
        monkeypatch.setenv(cache.CACHE, "off")
    else:
        monkeypatch.setattr(cache, "LEAST", 4 << 20)
    monkeypatch.chdir(logs.parent)
    opened(logs)
    assert not entries(kept)
    assert not Path("off").exists()


def test_the_least_recently_used_is_removed(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three that are too large together the one that was not used again; and no other file."""
    for name in "abc":
        write(tmp_path / name / "log.jsonl")
    opened(tmp_path / "a")
    [first] = kept.iterdir()
    opened(tmp_path / "b")
    [second] = set(kept.iterdir()) - {first}
    for age, path in enumerate((second, first), start=1):
        os.utime(path, (age, age))
    (kept / "mine.txt").write_bytes(b"x" * 100_000)
    opened(tmp_path / "a")
    left_over = kept / f".killed{cache.SUFFIX}"
    left_over.write_bytes(b"x" * 100)
    os.utime(left_over, (0, 0))
    monkeypatch.setattr(cache, "MOST", first.stat().st_size * 5 // 2)
    opened(tmp_path / "c")
    assert entries(kept) >= {first.name, "mine.txt"}
    assert entries(kept).isdisjoint({second.name, left_over.name})
    assert len(entries(kept)) == 3


def test_two_processes_at_once(logs: Path, kept: Path, read: list[str]) -> None:
    """Both read the logs and keep them, and neither harms the other."""
    code = (
        "import sys; from pathlib import Path; from audit import cache\n"
        "cache.LEAST = cache.RACY = 0\n"
        "from audit.tables import open_database\n"
        "for _ in range(3):\n"
        "    with open_database([Path(sys.argv[1])], bare=True) as database:\n"
        "        print(database.connection.execute('SELECT match, seal FROM matches').fetchall())\n"
    )
    command = [sys.executable, "-c", code, str(logs)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = [process.communicate()[0].splitlines() for process in running]
    assert len(set(told[0] + told[1])) == 1
    assert [len(lines) for lines in told] == [3, 3]
    assert len(opened(logs)) == 2
    assert not read
