"""Where a log is: the tournaments and the stages of contests around it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from schema.bundle import Member
from schema.discovery import MATCHES, STAGES, absolute
from schema.log_path import LogPath


def homes(folder: LogPath) -> Iterator[tuple[LogPath, str]]:
    """Yield the folders of the tournaments that a log in ``folder`` may belong to, nearest first.

    The first is ``folder`` itself; then each folder above that holds it among its matches, with the
    relative path from these matches to ``folder``. A bundle among the matches holds matches, too.
    """
    folder, inner = absolute(folder), ""
    yield folder, inner
    for ancestor in with_ancestors(folder):
        if ancestor.name == MATCHES:
            yield ancestor.parent, inner
        if ancestor != ancestor.parent:  # the root of a bundle has the name of the bundle
            inner = f"{ancestor.name}/{inner}"


def with_ancestors(path: LogPath) -> Iterator[LogPath]:
    """Yield ``path`` and the folders around it; after those in a bundle, the bundle and its own.

    They are absolute, so that equal folders are the same from any working folder.
    """
    path = absolute(path)
    yield path
    while path != path.parent:
        path = path.parent
        yield path
    if isinstance(path, Member):
        yield from with_ancestors(path.bundle.path)


def stages_around(log: LogPath) -> Iterator[tuple[LogPath, str]]:
    """Yield the folder of a contest and the name of a stage's folder for each stage around a log.

    The nearest comes first; the folder is absolute. A bundle among the stages counts as a stage,
    which no contest knows.
    """
    for folder in with_ancestors(log.parent):
        if folder.parent.name == STAGES:
            yield folder.parent.parent, folder.name


def is_closed(folder: LogPath) -> bool:
    """Return whether the user may not look into a folder; its own verdict says so."""
    return isinstance(folder, Path) and folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK)
