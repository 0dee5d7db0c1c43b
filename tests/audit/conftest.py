"""What several tests of the audit want to know."""

from __future__ import annotations

import pytest

from audit import spool


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the logs that are read."""
    names: list[str] = []
    load = spool.load

    def noting(task: spool.Task) -> spool.Read | spool.Unread:
        names.append(task.path.name)
        return load(task)

    monkeypatch.setattr("audit.spool.load", noting)
    return names
