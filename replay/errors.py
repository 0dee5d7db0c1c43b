"""The errors of the replay. A log that does not verify is no error: it gets a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from schema.discovery import CONTEST, STAGES, TOURNAMENT, stage_name
from schema.errors import GameError, KothError, LogError, UsageError
from schema.log_path import LogPath
from schema.system_errors import raise_exhaustion
from schema.words import counted


class ReplayError(KothError):
    """Raised when a log cannot be re-run: it has no seed, or its rules lead elsewhere."""

    exit_code = 1


class RulesFailed(GameError):
    """Raised when the rules of games fail on some of the logs, which have no verdict.

    The message is that of the first failure, with the number of the others.
    """

    def __init__(self, errors: Iterable[GameError]) -> None:
        self.failures: list[GameError] = []
        for error in errors:
            self.failures += error.failures if isinstance(error, RulesFailed) else [error]
        first, *others = self.failures
        number = counted(len(others), "other log")
        super().__init__(f"{first} ({number} without a verdict, too.)" if others else str(first))


class NoSuchEvent(UsageError):
    """Raised when the log has no event with this ``seq``."""


def problem_of(error: LogError | OSError) -> str:
    """Return the path of a file and the reason that it was not read, the same on every system.

    Raises OSError if the system lacks descriptors or memory.
    """
    raise_exhaustion(error)
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)


def no_tournament(path: Path, folder: LogPath) -> UsageError:
    """Return the error for the ``folder`` at a ``path``, or its bundle, without a tournament."""
    remedy = ""
    if (folder / CONTEST).exists():
        remedy = f" Name a stage, such as {path / STAGES / stage_name(1)}."
    return UsageError(f"{path}: expected a tournament, found no {TOURNAMENT} there.{remedy}")
