"""The errors of Koth. Every folder grows its own branch from this root."""

from __future__ import annotations

from pathlib import Path


class KothError(Exception):
    """Something went wrong that a person can act on: the message says what, where and what to do.

    ``exit_code`` is what the command ends with: 1 findings, 2 wrong usage, 3 nothing to work on,
    4 the tool itself failed.
    """

    exit_code = 4


class UsageError(KothError):
    """The command was called with something that it cannot use."""

    exit_code = 2


class NothingToDo(KothError):
    """The paths are there, but hold nothing to work on."""

    exit_code = 3


class LogError(KothError):
    """A log that cannot be read: ``path``, ``line`` (from 1) and ``found`` say where and what."""

    exit_code = 1
    verdict = "corrupt"

    def __init__(self, path: Path, line: int, found: str) -> None:
        # What a log says may hold anything, also what a terminal would obey.
        self.found = "".join(c if c.isprintable() else repr(c)[1:-1] for c in found)
        self.path = path
        self.line = line
        super().__init__(f"{path}:{line}: {self.found}")


class CorruptLog(LogError):
    """The bytes are not a log: JSON, byte layout, sequence, events, fields or seal."""


class UnsupportedLog(LogError):
    """A log of a newer format, or of a game or rules version that is not installed."""

    verdict = "unsupported"
