"""The errors of the replay. A log that does not verify is none of them: that is a verdict."""

from __future__ import annotations

from schema.errors import KothError, UsageError


class ReplayError(KothError):
    """A log that cannot be re-run: it has no seed, or its rules lead elsewhere."""

    exit_code = 1


class NoSuchEvent(UsageError):
    """A ``seq`` that the log does not have."""
