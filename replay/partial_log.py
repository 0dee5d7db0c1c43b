"""Reads logs of matches and tournaments, with or without a seal."""

from __future__ import annotations

from replay.rerun import check_has_rules
from schema.log_path import LogPath
from schema.reader import IncompleteLog, Log, read


def read_sealed(path: LogPath) -> Log:
    """Return the sealed log of a match or a tournament at ``path``.

    Raises LogError, OSError, and UsageError for the log of a contest.
    """
    try:
        log = read(path)
    except IncompleteLog as error:
        if error.log is not None:
            check_has_rules(error.log)
        raise
    check_has_rules(log)
    return log


def read_partial(path: LogPath) -> Log:
    """Return the log at ``path``; one without a seal holds its whole events.

    Raises LogError for a file that is not a log or has no whole event, and OSError.
    """
    try:
        return read(path)
    except IncompleteLog as error:
        if error.log is None:
            raise
        return error.log
