"""Settings of interpreters in /etc, as far as a sandbox shows them.

A sandbox has /usr, but of /etc only a few files. Interpreters of a distribution often have links
from their own folder into /etc: /usr/lib/R/etc/Renviron leads to /etc/R/Renviron. What such a link
leads to is shown, where it is root's and everybody may read all of it, and where it is not about
the machine and its users.
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
"""Folders in which such links are looked for."""

DEPTH = 4
"""How many folders deep they are looked for."""

WITHOUT_LINKS = frozenset(
    """__pycache__ dist-packages site-packages node_modules debug doc man info locale icons fonts
    mime zoneinfo modules firmware include""".split()  # noqa: SIM905
)
"""Folders in which they are not looked for: large ones, of what is not an interpreter's."""

OF_THE_MACHINE = tuple(
    ETC / name
    for name in """cron.d environment environment.d fstab group gshadow hostname hosts krb5.conf
    machine-id machine-info mtab pam.d passwd profile profile.d resolv.conf security shadow ssh
    ssl/private subgid subuid sudoers sudoers.d systemd""".split()  # noqa: SIM905
)
"""What is not shown even where a link leads there."""


@cache
def linked(folders: tuple[str, ...] = LINKED) -> tuple[Path, ...]:
    """Files and folders of /etc to show: of /etc/R/Renviron the whole of /etc/R, if it may be."""
    shown: dict[Path, None] = {}
    for target in sorted({*links_into_etc(folders)}):
        top = ETC / target.relative_to(ETC).parts[0]
        path = next(filter(may_be_shown, (top, target)), None)
        if path is not None and not {path, *path.parents} & shown.keys():
            shown[path] = None
    return tuple(shown)


def links_into_etc(tops: tuple[str, ...]) -> Iterator[Path]:
    """Where the links in these folders lead, as far as that is in /etc."""
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
    """Whether a file or a folder is the system's own, and everybody may read all of it."""
    for one in OF_THE_MACHINE:
        if one == path or one in path.parents or path in one.parents:
            return False
    try:
        parts = [path.resolve(strict=True), *(one for one in path.parents if one != Path("/"))]
        parts += [Path(top, one) for top, dirs, files in os.walk(path) for one in (*dirs, *files)]
        return all(map(is_for_all, parts))
    except OSError:
        return False


def is_for_all(path: Path) -> bool:
    """Whether a file or a folder is root's, and everybody may read it. Raises OSError."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return True  # it leads to what is shown, or to nothing
    least = {stat.S_IFDIR: 0o005, stat.S_IFREG: 0o004}.get(stat.S_IFMT(status.st_mode), 0o10000)
    return status.st_uid == 0 and status.st_mode & least == least
