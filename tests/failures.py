"""Failures of the system that tests bring about."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest


def lack_descriptor(file: Path, patch: pytest.MonkeyPatch) -> None:
    """Let no descriptor be left when ``file`` is opened."""
    refuse(file, errno.EMFILE, patch)


def refuse(file: Path, number: int, patch: pytest.MonkeyPatch) -> None:
    """Let the system fail with the error ``number`` when ``file`` is opened."""
    opened = os.open

    def refused(path: object, *arguments: Any, **options: Any) -> int:
        if path == file:
            raise OSError(number, os.strerror(number), str(path))
        return opened(path, *arguments, **options)  # type: ignore[arg-type]

    patch.setattr(os, "open", refused)
