"""Find the settings of interpreters in /etc that a sandbox shows.

A sandbox shows /usr, but only a few files of /etc. Interpreters of a distribution often have links
into /etc: /usr/lib/R/etc/Renviron leads to /etc/R/Renviron. The target of such a link is shown if
root owns it and everybody may read all of it. Files about the machine and its users are excluded.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

ETC = Path("/etc")

LINKED = ("/usr/lib", "/usr/share", "/usr/libexec", "/usr/local/lib", "/usr/local/share")
"""Folders that are searched for such links."""

DEPTH = 4
"""Maximum depth of the search."""

WITHOUT_LINKS = frozenset(
    """__pycache__ dist-packages site-packages node_modules debug doc man info locale icons fonts
    mime zoneinfo modules firmware include""".split()  # noqa: SIM905
)
"""Names of large folders that are not searched, because no interpreter has settings there."""

OF_THE_MACHINE = tuple(
    ETC / name
    for name in """cron.d environment environment.d fstab group gshadow hostname hosts krb5.conf
    machine-id machine-info mtab pam.d passwd profile profile.d resolv.conf security shadow ssh
    ssl/private subgid subuid sudoers sudoers.d systemd""".split()  # noqa: SIM905
)
"""Paths that are never shown."""

LIST_AND_ENTER, READ = 0o005, 0o004
"""Permissions of a folder and of a file for everybody."""


@cache
def linked(folders: tuple[str, ...] = LINKED) -> tuple[Path, ...]:
    """Return the paths in /etc to show: for /etc/R/Renviron all of /etc/R, if that is allowed."""
    shown: dict[Path, None] = {}
    for target in sorted({*links_into_etc(folders)}):
        top = ETC / target.relative_to(ETC).parts[0]
        path = next(filter(may_be_shown, (top, target)), None)
        if path is not None and not {path, *path.parents} & shown.keys():
            shown[path] = None
    return tuple(shown)


def links_into_etc(tops: tuple[str, ...]) -> Iterator[Path]:
    """Yield the targets in /etc of links in these folders."""
    folders = [(top, DEPTH) for top in tops]
    while folders:
        folder, depth = folders.pop()
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_symlink():
                    target = os.path.normpath(os.path.join(folder, os.readlink(entry.path)))  # noqa: PTH115, PTH118
                    if target.startswith(f"{ETC}/"):
                        yield Path(target)
                elif depth and entry.name not in WITHOUT_LINKS and entry.is_dir():
                    folders.append((entry.path, depth - 1))


@cache
def may_be_shown(path: Path) -> bool:
    """Return whether a path belongs to the system, and everybody may read all of it."""
    for excluded in OF_THE_MACHINE:
        if excluded == path or excluded in path.parents or path in excluded.parents:
            return False
    try:
        parts = [path.resolve(strict=True), *(up for up in path.parents if up != Path("/"))]
        parts += [Path(top, name) for top, dirs, files in os.walk(path) for name in (*dirs, *files)]
        return all(map(is_for_all, parts))
    except OSError:
        return False


def is_for_all(path: Path) -> bool:
    """Return whether root owns a file or folder and everybody may read it. Raises OSError."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return True  # its target is shown, or missing in the sandbox
    kinds = {stat.S_IFDIR: LIST_AND_ENTER, stat.S_IFREG: READ}
    least = kinds.get(stat.S_IFMT(status.st_mode))
    return least is not None and status.st_uid == 0 and status.st_mode & least == least
