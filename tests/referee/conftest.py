"""Keep all files that the bots under test write in the test's own folder."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import pytest

from referee.batch import scheduler
from referee.pools import class_helpers


@pytest.fixture(autouse=True)
def _temporary_files_within_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))


@pytest.fixture(scope="module")
def helpers_kept() -> Iterator[None]:
    """Let all tournaments of a module share helpers of class bots, as the matches of one do."""
    with patch.object(scheduler, "idle_helpers_ended", nullcontext):
        yield
    class_helpers.close()
