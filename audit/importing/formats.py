"""The formats that can be imported, by the names that people type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from audit.importing import bank_heist, coup_history, results
from audit.importing.imported import Imported
from schema.errors import UsageError
from schema.registry import suggest

FORMATS: Mapping[str, Callable[[Sequence[Path]], Imported]] = {
    "bank-heist-transcript": bank_heist.read,
    "results": results.read,
    "coup-history": coup_history.read,
}


def read(format: str, paths: Sequence[Path]) -> Imported:
    """What the files hold. Raises UsageError for an unknown format and an unreadable line."""
    if format not in FORMATS:
        raise UsageError(f"there is no format '{format}'.{suggest(format, list(FORMATS))}")
    return FORMATS[format](paths)
