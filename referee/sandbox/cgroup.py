"""Limit the memory and the number of processes of a sandbox with cgroups, version 1 or 2.

A limit of setrlimit(2) applies to one process or to one user; a limit of a cgroup applies to all
processes in it. The system must allow it: for root, or for a user with a delegated group, as by
``systemd-run --user --scope``. Only groups created here are changed. A process enters a group by
itself; no controller is enabled in another group.

The rules are those of cgroups(7), and of cgroup-v2 and cgroup-v1/memory in the kernel's guide for
administrators.
"""

from __future__ import annotations

import errno
import itertools
import os
import re
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath

REMOVAL_TIMEOUT = 2.0
"""Seconds that the processes of a group may take to end after they are killed."""

INTERVAL = 0.001

_ENTER = 'until [ "$1" = -- ]; do echo 0 >"$1" || exit 125; shift; done; shift; exec "$@"'
_NAME = re.compile(r"koth-([1-9]\d{0,8})-\d+")

_numbers = itertools.count()


def has_cgroup() -> bool:
    """Return whether groups with both limits can be created and entered; tried once."""
    return bool(_parents())


class Group:
    """A group of at most ``processes`` processes and threads, with ``memory`` bytes together.

    Files in a tmpfs count as memory. If memory runs out, the kernel kills processes of the group,
    one at a time. Beyond the number of processes, fork(2) fails with EAGAIN.

    ``parents`` are the folders to create it in, one for each hierarchy; the default is to search
    this machine. Raises OSError if it cannot be created.
    """

    def __init__(self, memory: int, processes: int, parents: Sequence[Path] | None = None) -> None:
        parents = _parents() if parents is None else parents
        if not parents:
            raise OSError(errno.ENOTSUP, "expected cgroups with limits on memory and pids")
        name = f"koth-{os.getpid()}-{next(_numbers)}"
        self._folders: list[Path] = []
        try:
            for folder in (parent / name for parent in parents):
                _remove_stale(folder)
                folder.mkdir()
                self._folders.append(folder)
            self._limit(memory, processes)
        except OSError:
            self.end()
            raise

    def _limit(self, memory: int, processes: int) -> None:
        """Set the limits, by the names of either version, in this order."""
        limits = {
            "memory.limit_in_bytes": memory,
            "memory.memsw.limit_in_bytes": memory,  # with swap, if it is counted
            "memory.max": memory,
            "memory.swap.max": 0,
            "pids.max": processes,
        }
        files = {file.name: file for folder in self._folders for file in folder.iterdir()}
        if "pids.max" not in files or not files.keys() & {"memory.limit_in_bytes", "memory.max"}:
            raise OSError(errno.ENOTSUP, "expected limits on memory and pids", str(self._folders))
        for name, limit in limits.items():
            if name in files:
                files[name].write_text(str(limit))

    def entering(self, command: Sequence[str]) -> list[str]:
        """Return a command that enters the group and then becomes ``command``.

        It exits with status 125 if it cannot enter. Descriptors are inherited. The shell may set
        the variables PWD, SHLVL and ``_``.
        """
        files = [str(folder / "cgroup.procs") for folder in self._folders]
        return ["/bin/sh", "-c", _ENTER, "koth", *files, "--", *command]

    def end(self) -> None:
        """Remove the group, after its processes were killed; version 2 kills any that are left.

        A group that cannot be removed in REMOVAL_TIMEOUT stays until a later referee removes it.
        """
        deadline = time.monotonic() + REMOVAL_TIMEOUT
        for folder in self._folders:
            with suppress(OSError):
                if (kill := folder / "cgroup.kill").exists():
                    kill.write_text("1")
        left = self._folders
        while left := [folder for folder in left if not _removed(folder)]:
            if time.monotonic() > deadline:
                break
            time.sleep(INTERVAL)


def _removed(folder: Path) -> bool:
    """Try to remove a group. Return False if a process in it still runs."""
    try:
        folder.rmdir()
    except OSError as error:
        return error.errno != errno.EBUSY
    return True


def _remove_stale(new: Path) -> None:
    """Remove empty groups of killed referees beside a new group, or with its name."""
    for folder in new.parent.glob("koth-*"):
        name = _NAME.fullmatch(folder.name)
        if name and (folder == new or not Path("/proc", name[1]).exists()):
            _removed(folder)


@cache
def _parents() -> tuple[Path, ...]:
    """Return the folders to create groups in, one for each hierarchy, or none."""
    with suppress(OSError):
        mounts, own = (Path("/proc/self", name).read_text() for name in ("mountinfo", "cgroup"))
        for parents in _choices(mounts, own):
            if _enterable(parents):
                return parents
    return ()


def _enterable(parents: Sequence[Path]) -> bool:
    """Return whether a group can be created in these folders and entered by a process."""
    with suppress(OSError):
        group = Group(64 << 20, 8, parents)
        try:
            trial = group.entering(["/bin/sh", "-c", ":"])
            return subprocess.run(trial, stderr=subprocess.DEVNULL).returncode == 0
        finally:
            group.end()
    return False


def _choices(mounts: str, own: str) -> list[tuple[Path, ...]]:
    """Return possible parents, best first, from the texts of /proc/self/mountinfo and cgroup."""
    paths: dict[str, str] = {}
    for line in own.splitlines():
        _, controllers, path = line.split(":", 2)
        paths.update(dict.fromkeys(controllers.split(","), path))
    # The two limits may be in one or two hierarchies of version 1. A limit without one is in the
    # hierarchy of version 2, whose name is empty.
    names = (name if name in paths else "" for name in ("memory", "pids"))
    hierarchies = dict.fromkeys(_candidates(mounts, name, paths.get(name, "..")) for name in names)
    return list(itertools.product(*hierarchies))


def _candidates(mounts: str, controller: str, path: str) -> tuple[Path, ...]:
    """Return the folders of a hierarchy to create a group in; this process is at ``path``.

    In version 2, a group with processes cannot have children with limits, unless it is the root. So
    the folder beside this process's group, and the root, are candidates too.
    """
    for line in mounts.splitlines():
        mount, _, system = line.partition(" - ")
        root, point = mount.split()[3:5]
        kind, _, options = system.split(" ", 2)
        inside = PurePosixPath(path)
        if ".." in inside.parts or not inside.is_relative_to(root):
            continue  # another part of the hierarchy is mounted here
        inside, top = inside.relative_to(root), Path(point)
        if controller and kind == "cgroup" and controller in options.split(","):
            return (top / inside,)
        if not controller and kind == "cgroup2":
            return tuple(dict.fromkeys((top / inside, top / inside.parent, top)))
    return ()
