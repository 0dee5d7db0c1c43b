"""Fixtures for several tests of the audit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from audit.archive import pack
from audit.loading import strict
from audit.loading.models import SQL
from audit.sql_files import run_scripts
from tests.audit.archives import played
from tests.once import MadeOnce


@pytest.fixture(scope="session")
def macros() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with nothing but the shared macros."""
    with duckdb.connect() as connection:
        run_scripts(connection, SQL)
        yield connection


@pytest.fixture(scope="session")
def packed_once(made_once: MadeOnce) -> Path:
    """A folder with a tournament of coins, ``spring``, and its ``archive``."""

    def fill(folder: Path) -> None:
        pack([played(folder / "spring")], folder / "archive")

    return made_once("packed", fill)


@pytest.fixture
def _packed(packed_once: Path, tmp_path: Path) -> None:
    """Copy them to where the test works."""
    shutil.copytree(packed_once, tmp_path, dirs_exist_ok=True)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the logs that are read."""
    names: list[str] = []
    load = strict.read_log

    def noting(task: strict.ReadTask) -> strict.StagedLog | strict.UnreadFile:
        names.append(task.path.name)
        return load(task)

    monkeypatch.setattr("audit.loading.strict.read_log", noting)
    return names
