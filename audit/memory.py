"""The memory of DuckDB: limits, and statements that may need more than the limit.

A database on disk begins with a low limit, so that its memory does not grow with the number of
logs. DuckDB writes further data to temporary files. Some statements fail under a low limit even
so; these run again with twice the limit, until they succeed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from audit.errors import AuditError
from audit.sql_files import Connection
from schema.errors import UsageError
from schema.log_path import path_text

DATABASE = "tables.duckdb"
"""The name of the file of a database on disk."""
UNFIT = "?\\"
"""Characters that lead DuckDB to another path than that of this file."""

VARIABLE = "KOTH_MEMORY"
"""Environment variable with the memory limit of DuckDB, such as ``8GiB``."""
MOST = 2 << 30
"""The default limit in bytes."""
LEAST = 56 << 20
"""The first limit of a database on disk in bytes: to load JSON takes a buffer of 32 MiB."""
DISK_FAILED = (
    "Could not write file",
    "failed to offload data block",
    "No space left on device",
    "Input/output error",
    "fsync failed",
)
"""Parts of DuckDB's messages about a disk without space, or one that fails."""
MEMORY = f"The environment variable {VARIABLE} sets the limit, for example {VARIABLE}=8GiB"
FILES = "Raise the limit on open files (`ulimit -n`)"
DISK = "The environment variable TMPDIR names the folder of temporary files"
OPERATORS = 3
"""A sort or a join of such a database takes at most the limit divided by this number."""
AGAIN_SECONDS = 0.1
"""Seconds between two attempts to stop a statement."""

Rows = list[tuple[Any, ...]]
T = TypeVar("T")


class Shortage(AuditError):
    """Raised when DuckDB lacks memory, disk space or files, whatever the statement was."""


def raise_shortage(error: BaseException | None) -> None:
    """Raise Shortage if ``error`` is DuckDB's about memory, disk space or open files."""
    if not isinstance(error, duckdb.Error):
        return
    message = str(error).splitlines()[0].rstrip(".")
    if any(words in message for words in DISK_FAILED):
        raise Shortage(f"{message}. {DISK}.") from error
    if "Too many open files" in message:
        raise Shortage(f"{message}. {FILES}.") from error
    if isinstance(error, duckdb.OutOfMemoryException) or "failed to pin block" in message:
        raise Shortage(f"{message}. {MEMORY}.") from error


def message_of(error: Exception) -> str:
    """Return DuckDB's message, without the stack trace of an error in DuckDB itself."""
    message, trace, _ = str(error).partition("\n\nStack Trace:")
    return (
        f"{message} This is a fault of DuckDB; write the query in another way."
        if trace
        else message
    )


def connect(folder: Path, on_disk: bool) -> duckdb.DuckDBPyConnection:
    """Open a new database, with its temporary files in ``folder``.

    Raises UsageError if the environment variable is not a size, or if a database on disk, or any,
    cannot have this path.
    """
    if path_text(folder) != folder.as_posix():
        raise UsageError(
            "TMPDIR: expected the path of a folder in UTF-8, as DuckDB requires, found "
            f"{path_text(folder.parent)}."
        )
    if on_disk and set(UNFIT).intersection(folder.as_posix()):
        raise UsageError(
            f"TMPDIR: expected the path of a folder without {' and '.join(UNFIT)}, found "
            f"{path_text(folder.parent)}."
        )
    limit = os.environ.get(VARIABLE)
    try:
        connection = duckdb.connect(
            folder / DATABASE if on_disk else ":memory:",
            config={
                "temp_directory": str(folder / "spill"),
                "memory_limit": limit or f"{MOST}B",
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "python_enable_replacements": "false",
            },
        )
    except duckdb.ParserException:
        raise UsageError(f"{VARIABLE}: expected a size such as 8GiB, found {limit!r}.") from None
    if _can_grow(connection):
        connection.execute("SET threads = 1")  # each thread has buffers of its own
        _set_limit(connection, LEAST)
    return connection


def run(connection: Connection, sql: str, parameters: object = None) -> tuple[list[str], Rows]:
    """Run a statement, and return the names of its columns and its rows.

    Raises duckdb.Error, and Shortage if memory or disk space is short.
    """
    limit = LEAST
    try:
        while True:
            try:
                return interruptible(connection, lambda: _rows(connection, sql, parameters))
            except duckdb.OutOfMemoryException:
                limit *= 2
                if limit > MOST or not _can_grow(connection):
                    raise
                _set_limit(connection, limit)
    except duckdb.Error as error:
        raise_shortage(error)
        raise
    finally:
        if limit > LEAST:
            _lower_limit(connection)


@contextmanager
def full_limit(connection: Connection) -> Iterator[None]:
    """Raise the limit of a database on disk to ``MOST``, for what cannot be tried again."""
    if not _can_grow(connection):
        yield
        return
    _set_limit(connection, MOST)
    try:
        yield
    finally:
        _lower_limit(connection)


def _rows(connection: Connection, sql: str, parameters: object) -> tuple[list[str], Rows]:
    cursor: duckdb.DuckDBPyConnection | None = connection.execute(sql, parameters)
    if cursor is None:  # there is no statement, for example only a comment
        return [], []
    return [column[0] for column in cursor.description or ()], cursor.fetchall()


def interruptible(connection: Connection, work: Callable[[], T]) -> T:
    """Return the result of ``work`` with DuckDB, and stop it if this thread is interrupted.

    In the main thread DuckDB sees an interrupt only between the parts of a statement, and one part
    may take hours.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    future = _beside_main_thread(os.getpid()).submit(work)
    try:
        return future.result()
    except BaseException:
        while not future.done():
            connection.interrupt()  # without effect before the statement begins
            wait([future], AGAIN_SECONDS)
        raise


@cache
def _beside_main_thread(process: int) -> ThreadPoolExecutor:
    """Return one thread of this process; a forked one has threads of its own."""
    return ThreadPoolExecutor(1)


def _can_grow(connection: Connection) -> bool:
    """Return whether the database is on disk, with a limit that neither user nor query has set."""
    [(name, is_locked)] = connection.execute(
        "SELECT current_database(), current_setting('lock_configuration')"
    ).fetchall()
    return name == Path(DATABASE).stem and not is_locked and VARIABLE not in os.environ


def _lower_limit(connection: Connection) -> None:
    with suppress(duckdb.OutOfMemoryException):  # DuckDB still needs it
        _set_limit(connection, LEAST)


def _set_limit(connection: Connection, limit: int) -> None:
    connection.execute(f"SET memory_limit = '{limit}B'")
    connection.execute(f"SET operator_memory_limit = '{limit // OPERATORS}B'")
