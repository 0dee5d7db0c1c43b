"""Fixtures that the tests of the corpus share with those of the command."""

from __future__ import annotations

from pathlib import Path

from tests.koth.conftest import koth

__all__ = ["koth"]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Skip the folders of the entries: there are a thousand, and none has tests."""
    return collection_path.is_dir() or None
