"""The base classes of all errors that Koth raises."""

from __future__ import annotations

from typing import Any

from schema.log_path import LogPath, printable


class KothError(Exception):
    """An error that a person can act on: its message says what, where, and what to do.

    ``exit_code`` is the exit code of the command: 1 findings, 2 wrong usage, 3 nothing to work on,
    4 the tool itself failed. ``multiline`` is True for a message of several lines, such as one
    that quotes a query.
    """

    exit_code = 4
    multiline = False

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows instead of a traceback."""
        lines = str(self).splitlines() if self.multiline else [str(self)]
        return [f"{type(self).__name__}:", *map(printable, lines)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error without a call of its constructor, which may take other arguments."""
        return _unpickle, (type(self), self.args, self.__dict__)


def _unpickle(
    kind: type[KothError], args: tuple[object, ...], state: dict[str, object]
) -> KothError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class UsageError(KothError):
    """Raised when the command cannot use an argument or a file that it was called with."""

    exit_code = 2


class GameError(KothError):
    """Raised when the package of a game does not work; the message says what to fix in it."""


class NothingToDo(KothError):
    """Raised when the paths exist, but hold nothing to work on."""

    exit_code = 3


class LogError(KothError):
    """Raised when a log cannot be read.

    ``line`` counts from 1, and is None if the error is about the whole file. ``found`` describes
    the error.
    """

    exit_code = 1
    verdict = "corrupt"

    def __init__(self, path: LogPath, line: int | None, found: str) -> None:
        # Text of a log may contain anything, even control sequences of a terminal.
        self.found = printable(found)
        self.path = path
        self.line = line
        super().__init__(f"{self.where}: {self.found}")

    @property
    def where(self) -> str:
        """The path, with the line if there is one."""
        path = printable(str(self.path))
        return path if self.line is None else f"{path}:{self.line}"


class CorruptLog(LogError):
    """Raised when the bytes are not a log: JSON, byte layout, sequence, events, fields or seal."""


class UnsupportedLog(LogError):
    """Raised for a newer format, and for a game or rules version that is not installed."""

    verdict = "unsupported"
