"""Groups of processes whose memory and number the kernel bounds: cgroups, version 1 or 2.

A limit of setrlimit(2) holds for one process, or for all that one user runs; these hold for a
group, with all that its processes start. They are there where the machine allows it: for root, and
for a user to whom a group was delegated, as ``systemd-run --user --scope`` does it.

Nothing is changed but groups made here: no controller is enabled in anybody's group, and no process
is moved but one that moves itself. The rules are those of cgroups(7), and of cgroup-v2 and
cgroup-v1/memory in the kernel's guide for administrators.
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

PATIENCE = 2.0
"""Seconds that the processes of a group may take to end, once they are killed."""

PAUSE = 0.001

_ENTER = 'until [ "$1" = -- ]; do echo 0 >"$1" || exit 125; shift; done; shift; exec "$@"'
_NAME = re.compile(r"koth-([1-9]\d{0,8})-\d+")
_KILLED = re.compile(r"^oom_kill [1-9]", re.MULTILINE)

_numbers = itertools.count()


def has_cgroup() -> bool:
    """Whether groups with both limits can be made and entered here; tried once per process."""
    return bool(_places())


class Group:
    """A group for at most ``processes`` processes and threads, with ``memory`` bytes for them all.

    What they write to a tmpfs counts as memory. Beyond the memory, with no room in swap, the kernel
    kills processes of the group, one at a time; beyond the number, fork(2) fails with EAGAIN.

    ``places`` are folders to make it in, one of each hierarchy, instead of those found on this
    machine. Raises OSError when it cannot be made.
    """

    def __init__(self, memory: int, processes: int, places: Sequence[Path] | None = None) -> None:
        places = _places() if places is None else places
        if not places:
            raise OSError(errno.ENOTSUP, "expected cgroups with limits on memory and pids")
        name = f"koth-{os.getpid()}-{next(_numbers)}"
        self._folders = [place / name for place in places]
        try:
            for folder in self._folders:
                _remove_stale(folder)
                folder.mkdir()
            self._limit(memory, processes)
        except OSError:
            self.end()
            raise

    def _limit(self, memory: int, processes: int) -> None:
        """Set the limits, each by the names that this machine's version has for it, in order."""
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
        self._events = files.get("memory.events") or files["memory.oom_control"]

    def entering(self, command: Sequence[str]) -> list[str]:
        """The command that enters the group and then becomes ``command``, with its descriptors.

        It ends with 125 when it cannot enter. The shell may set PWD, SHLVL and ``_`` on the way.
        """
        doors = [str(folder / "cgroup.procs") for folder in self._folders]
        return ["/bin/sh", "-c", _ENTER, "koth", *doors, "--", *command]

    @property
    def out_of_memory(self) -> bool:
        """Whether the kernel has killed a process of the group for want of memory.

        It is told before that process dies, and until the group's end, by Linux 4.13 and later.
        """
        try:
            return bool(_KILLED.search(self._events.read_text()))
        except OSError:
            return False

    def end(self) -> None:
        """Remove the group, whose processes have been killed; version 2 kills any that are left.

        What cannot be removed within PATIENCE stays, until a later referee makes a group.
        """
        deadline = time.monotonic() + PATIENCE
        for folder in self._folders:
            with suppress(OSError):
                if (kill := folder / "cgroup.kill").exists():
                    kill.write_text("1")
        left = self._folders
        while left := [folder for folder in left if not _removed(folder)]:
            if time.monotonic() > deadline:
                break
            time.sleep(PAUSE)


def _removed(folder: Path) -> bool:
    """Try to remove a group. Returns False when it may go later: something in it still runs."""
    try:
        folder.rmdir()
    except OSError as error:
        return error.errno != errno.EBUSY
    return True


def _remove_stale(new: Path) -> None:
    """Remove the empty groups that killed referees left beside a new one, or under its name."""
    for folder in new.parent.glob("koth-*"):
        found = _NAME.fullmatch(folder.name)
        if found and (folder == new or not Path("/proc", found[1]).exists()):
            _removed(folder)


@cache
def _places() -> tuple[Path, ...]:
    """The folders in which groups can be made here, one of each hierarchy; none if they cannot."""
    with suppress(OSError):
        mounts, own = (Path("/proc/self", name).read_text() for name in ("mountinfo", "cgroup"))
        for places in _choices(mounts, own):
            if _enterable(places):
                return places
    return ()


def _enterable(places: Sequence[Path]) -> bool:
    """Whether a group can be made in these folders, and a process move itself there."""
    with suppress(OSError):
        group = Group(64 << 20, 8, places)
        try:
            trial = group.entering(["/bin/sh", "-c", ":"])
            return subprocess.run(trial, stderr=subprocess.DEVNULL).returncode == 0
        finally:
            group.end()
    return False


def _choices(mounts: str, own: str) -> list[tuple[Path, ...]]:
    """The places that may do, best first, by the texts of /proc/self/mountinfo and cgroup."""
    paths: dict[str, str] = {}
    for line in own.splitlines():
        _, controllers, path = line.split(":", 2)
        paths.update(dict.fromkeys(controllers.split(","), path))
    # The two limits may be in two hierarchies of version 1, or in one, and what is in none of
    # version 1 is in that of version 2, which has no name here.
    names = (name if name in paths else "" for name in ("memory", "pids"))
    found = dict.fromkeys(_candidates(mounts, name, paths.get(name, "..")) for name in names)
    return list(itertools.product(*found))


def _candidates(mounts: str, controller: str, path: str) -> tuple[Path, ...]:
    """The folders of a hierarchy to make a group in, where that of this process is at ``path``.

    A group of version 2 that has processes has no children with limits, unless it is the root.
    So groups are made beside it, or at the root, where there are such children already.
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
