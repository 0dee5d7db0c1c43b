"""The errors of the replay. A log that does not verify is no error: it gets a verdict."""

from __future__ import annotations

from schema.errors import KothError, LogError, UsageError


class ReplayError(KothError):
    """Raised when a log cannot be re-run: it has no seed, or its rules lead elsewhere."""

    exit_code = 1


class NoSuchEvent(UsageError):
    """Raised when the log has no event with this ``seq``."""


def problem_of(error: LogError | OSError) -> str:
    """Return the path of a file and the reason that it was not read, the same on every system."""
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
