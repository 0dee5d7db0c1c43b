"""Where logs lie: single files, tournament folders, and folders of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from schema.errors import NothingToDo, UsageError

TOURNAMENT = "tournament.jsonl"
MATCHES = "matches"
EVIDENCE = "evidence"


def home(log: Path) -> Path:
    """The folder of the tournament, or of the lone match, that a log belongs to."""
    return log.parent.parent if log.parent.name == MATCHES else log.parent


def evidence(log: Path) -> Path:
    """Where the evidence of a match lies, by its log."""
    return home(log) / EVIDENCE / log.name


def logs(paths: Iterable[Path]) -> list[Path]:
    """The log files at ``paths``: files as they are, folders searched through for ``*.jsonl``.

    Evidence is no log and is passed over. Raises UsageError for a path that does not exist, and
    NothingToDo when there is no log at all.
    """
    found: list[Path] = []
    searched: list[str] = []
    for path in paths:
        searched.append(str(path))
        if path.is_dir():
            found += sorted(
                entry
                for entry in path.rglob("*.jsonl")
                if EVIDENCE not in entry.relative_to(path).parts and entry.is_file()
            )
        elif path.exists():
            found.append(path)
        else:
            raise UsageError(f"{path}: there is no such file or folder.")
    if not found:
        raise NothingToDo(f"{', '.join(searched)}: no log (*.jsonl) is in there.")
    return list(dict.fromkeys(found))
