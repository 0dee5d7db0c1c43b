"""Fixtures for several tests of the audit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from audit.archive import pack
from audit.loading import strict
from tests.audit.archives import played


@pytest.fixture(scope="session")
def packed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament of coins, ``spring``, and its ``archive``."""
    folder = tmp_path_factory.mktemp("packed")
    pack([played(folder / "spring")], folder / "archive")
    return folder


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
