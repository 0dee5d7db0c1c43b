"""Reads logs with or without a seal."""

from __future__ import annotations

from schema.log_path import LogPath
from schema.reader import IncompleteLog, Log, read


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
