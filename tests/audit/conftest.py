"""Fixtures for several tests of the audit."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import duckdb
import pytest

from audit.archive import pack
from audit.loading import strict
from audit.loading.models import SQL
from audit.sql_files import run_scripts
from tests.audit.archives import other, played
from tests.once import MadeOnce

Play = Callable[[Path], Path]
"""Writes a tournament into a folder."""


@pytest.fixture(scope="session")
def macros() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with nothing but the shared macros."""
    with duckdb.connect() as connection:
        run_scripts(connection, SQL)
        yield connection


def _packed_once(made_once: MadeOnce, key: str, **tournaments: Play) -> Path:
    """A folder with these tournaments, by their names, and their ``archive``."""

    def fill(folder: Path) -> None:
        paths = [play(folder / name) for name, play in tournaments.items()]
        pack(paths, folder / "archive")

    return made_once(f"packed-{key}", fill)


@pytest.fixture(scope="session")
def packed(made_once: MadeOnce) -> Callable[[str], Path]:
    """Return the folder of a game: with a tournament, ``spring``, and its ``archive``."""
    return lambda game: _packed_once(made_once, game, spring=partial(played, game=game))


@pytest.fixture
def _packed(packed: Callable[[str], Path], tmp_path: Path) -> None:
    """Copy those of coins to where the test works."""
    shutil.copytree(packed("coins"), tmp_path, dirs_exist_ok=True)


@pytest.fixture(scope="session")
def packed_other(made_once: MadeOnce) -> Path:
    """A folder with another tournament of coins called ``spring``, and its ``archive``."""
    return _packed_once(made_once, "other", spring=other)


@pytest.fixture(scope="session")
def packed_pair(made_once: MadeOnce) -> Path:
    """A folder with two tournaments of coins, ``a`` and ``b``, and their ``archive``."""
    return _packed_once(made_once, "pair", a=played, b=other)


@pytest.fixture(scope="session")
def packed_games(made_once: MadeOnce) -> Path:
    """A folder with a tournament of coup, ``a``, one of coins, ``b``, and their ``archive``."""
    return _packed_once(made_once, "games", a=partial(played, game="coup"), b=played)


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
