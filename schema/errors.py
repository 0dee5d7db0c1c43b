"""The errors of Koth. Every folder grows its own branch from this root."""

from __future__ import annotations

from typing import Any

from schema.log_path import LogPath, printable


class KothError(Exception):
    """Something went wrong that a person can act on: the message says what, where and what to do.

    ``exit_code`` is what the command ends with: 1 findings, 2 wrong usage, 3 nothing to work on,
    4 the tool itself failed. ``multiline`` says whether the message has lines of its own, as one
    that quotes a query; any other is one line.
    """

    exit_code = 4
    multiline = False

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it comes out of another process whole, whatever its constructor takes."""
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[KothError], args: tuple[object, ...], state: dict[str, object]) -> KothError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class UsageError(KothError):
    """The command was called with something that it cannot use."""

    exit_code = 2


class GameError(KothError):
    """What the package of a game brings does not work; the message says what it has to mend."""


class NothingToDo(KothError):
    """The paths are there, but hold nothing to work on."""

    exit_code = 3


class LogError(KothError):
    """A log that cannot be read: ``path``, ``line`` (from 1) and ``found`` say where and what.

    ``line`` is None when it is about a file as a whole.
    """

    exit_code = 1
    verdict = "corrupt"

    def __init__(self, path: LogPath, line: int | None, found: str) -> None:
        # What a log says may hold anything, also what a terminal would obey.
        self.found = printable(found)
        self.path = path
        self.line = line
        super().__init__(f"{self.where}: {self.found}")

    @property
    def where(self) -> str:
        """The file, with the line where there is one."""
        path = printable(str(self.path))
        return path if self.line is None else f"{path}:{self.line}"


class CorruptLog(LogError):
    """The bytes are not a log: JSON, byte layout, sequence, events, fields or seal."""


class UnsupportedLog(LogError):
    """A log of a newer format, or of a game or rules version that is not installed."""

    verdict = "unsupported"
