"""What several tests of the audit want to know."""

from __future__ import annotations

import pytest

from audit.loading import strict


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
