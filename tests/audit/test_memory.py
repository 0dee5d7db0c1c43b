"""Too little memory or disk space: one sentence that blames neither the logs nor the query."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from audit import memory
from audit.archive import pack
from audit.loading import parquet
from audit.memory import Shortage
from audit.query import query, query_parquet
from audit.tables import Database, open_database
from schema.errors import UsageError
from tests.audit.archives import played
from tests.schema.test_writer_and_reader import full_disk

BIG = "SELECT len(list(n)) FROM range(20_000_000) AS numbers(n)"


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament, and an archive of it."""
    folder = tmp_path_factory.mktemp("logs")
    pack([played(folder / "spring")], folder / "archive")
    return folder


@pytest.mark.parametrize("size", ["1KB", "1MB"])
@pytest.mark.parametrize("on_disk", [False, True])
@pytest.mark.parametrize("name", ["spring", "archive"])
def test_too_little_memory_to_open_logs(
    size: str, on_disk: bool, name: str, spring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the variable that sets the limit, and calls no logs damaged."""
    monkeypatch.setenv(memory.VARIABLE, size)
    with pytest.raises(Shortage, match=r"^Out of Memory Error: .* sets the limit.*8GiB\.$"):
        open_database([spring / name], on_disk=on_disk)


def test_too_little_memory_for_the_tables_of_an_archive() -> None:
    """Its Parquet files are not called damaged."""
    error = duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate")
    with duckdb.connect() as connection, pytest.raises(Shortage):
        parquet.damaged(connection, [], error)


@pytest.mark.parametrize("ask", [query, query_parquet, Database.execute])
@pytest.mark.parametrize("name", ["spring", "archive"])
def test_too_little_memory_for_a_query(
    ask: Callable[[Database, str], object],
    name: str,
    spring: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The query is not called wrong, and a setting that a query cannot change is not advised."""
    monkeypatch.setenv(memory.VARIABLE, "60MB")
    with (
        pytest.raises(Shortage, match=r"^Out of Memory Error: [^\n]*$"),
        open_database([spring / name]) as database,
    ):
        ask(database, BIG)


def test_too_little_memory_for_a_checkpoint() -> None:
    """DuckDB calls it an error of input and output; the message names the variable."""
    error = duckdb.IOException("IO Error: Checkpoint failed. failed to pin block of size 256.0 KiB")
    with pytest.raises(Shortage, match=r"256\.0 KiB\. The environment variable KOTH_MEMORY sets"):
        memory.raise_shortage(error)


def test_too_few_open_files(tmp_path: Path) -> None:
    """The limit on open files is named, and no table is called damaged."""
    table, before = tmp_path / "table.parquet", resource.getrlimit(resource.RLIMIT_NOFILE)
    with memory.connect(tmp_path, on_disk=False) as connection:
        memory.run(connection, f"COPY (SELECT 1) TO '{table}'")
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, before[1]))
        try:
            with pytest.raises(Shortage, match=r"Too many open files\. Raise .*\(`ulimit -n`\)"):
                memory.run(connection, f"FROM read_parquet('{table}')")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_full_disk(spring: Path, tmp_path: Path) -> None:
    """The message names the file or folder that cannot be written, and the folder's variable."""
    with full_disk(1 << 10), pytest.raises(Shortage, match=r"/[^:]+: File too large\. .* TMPDIR"):
        open_database([spring / "spring"])
    message = r"Could not write file .*tables\.duckdb.* TMPDIR"
    with full_disk(4 << 10), pytest.raises(Shortage, match=message):
        open_database([spring / "spring"], on_disk=True)
    with (
        memory.connect(tmp_path, on_disk=True) as connection,
        full_disk(100 << 10),
        pytest.raises(Shortage, match=message),
    ):
        memory.run(connection, "CREATE TABLE texts AS SELECT md5(n::VARCHAR) FROM range(9999) t(n)")


@pytest.mark.parametrize(
    "error",
    [
        duckdb.IOException('IO Error: Could not read from file "/tmp/x": Input/output error'),
        duckdb.FatalException("FATAL Error: fsync failed!"),
        duckdb.IOException('IO Error: Cannot open file "/tmp/x": No space left on device'),
    ],
    ids=["read", "sync", "open"],
)
def test_a_disk_that_fails(error: duckdb.Error) -> None:
    """DuckDB's error about a disk that fails is none in Koth or in the query."""
    with pytest.raises(Shortage, match=r"(Input/output error|fsync failed!|device)\. .* TMPDIR"):
        memory.raise_shortage(error)


@pytest.mark.parametrize("size", ["8", "much"])
def test_a_limit_that_is_no_size(size: str, spring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message quotes it, and gives an example."""
    monkeypatch.setenv(memory.VARIABLE, size)
    with pytest.raises(UsageError, match=f"^KOTH_MEMORY: .* 8GiB, found '{size}'"):
        open_database([spring / "spring"])
