"""The errors of the referee. A bot's failure is none of them: that is a fault in the log."""

from __future__ import annotations

from schema.errors import KothError, UsageError


class RefereeError(KothError):
    """The referee cannot go on."""


class BotsError(UsageError):
    """What was given as bots cannot be used: which, where, and why."""
