"""The walls of a sandbox, as a command for bubblewrap (bwrap).

Between them a bot has user, process, network, IPC, host name and mount namespaces of its own, and
no capabilities. It finds the system's programs and those of its interpreter, read-only, and one
folder in memory that it can write in, of a limited size: its room. Where the referee is root, root
makes the mounts, and leaves its rights and its name before a second bwrap closes the rest.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from referee import limits, seccomp
from referee.process import PYTHON

TOOLS = "/run/koth"
"""Where the referee's own programs for bots are found."""

ROOM = "/tmp"

NOBODY = 65534
"""Whom bots run as where the referee is root."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders of programs, or links into other ones."""

SETTINGS = ("alternatives", "java*", "ld.so.cache", "localtime", "lua*", "perl", "php*", "python3*")
"""What interpreters read in /etc."""

DEVICES = ("full", "null", "random", "urandom", "zero")
LINKS = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}

APART = (
    *("--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--hostname", "koth", "--die-with-parent", "--new-session"),
)
CONFINED = (
    *("--unshare-user", "--disable-userns", "--unshare-pid", "--as-pid-1"),
    *("--cap-drop", "ALL", "--die-with-parent"),
)
UNPRIVILEGED = (
    *("--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"),
    *("--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"),
)

PACKAGES = {"bwrap": "bubblewrap", "setpriv": "util-linux", "env": "coreutils"}
"""What the walls are made of, and where Debian has it."""

ASK = "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, sep='\\n')"
"""Asks an interpreter what belongs to it."""

PATIENCE = 30
"""Seconds that it may take to answer."""


def missing() -> str:
    """Which program there is not, in a sentence."""
    for program, package in PACKAGES.items():
        if shutil.which(program) is None and (program != "setpriv" or os.geteuid() == 0):
            return f"there is no {program}; Debian has it in the package {package}"
    return ""


@contextmanager
def forbidding() -> Iterator[Sequence[int]]:
    """A descriptor of the filter for system calls, where there is one for this machine."""
    program = seccomp.program()
    if not program:
        yield ()
        return
    descriptor = os.memfd_create("seccomp")
    try:
        os.write(descriptor, program)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield (descriptor,)
    finally:
        os.close(descriptor)


def around(program: str, settings: Mapping[str, str], filters: Sequence[int]) -> list[str]:
    """The beginning of a command that runs the rest between walls, where ``program`` is found.

    ``settings`` are all of its environment; ``filters`` come from :func:`forbidding`.
    """
    bwrap = which("bwrap")
    confined = [*CONFINED, *(word for one in filters for word in ("--seccomp", str(one)))]
    env = [which("env"), "-i", *(f"{name}={value}" for name, value in settings.items())]
    if os.geteuid() != 0:
        proc = ["--proc", "/proc", "--remount-ro", "/"]
        return [bwrap, *APART, *confined, *tree(program), *proc, "--", *env]
    outer = [bwrap, *APART, *tree(program), "--bind", "/proc", "/proc", "--remount-ro", "/", "--"]
    inner = [bwrap, *confined, "--dev-bind", "/", "/", "--proc", "/proc", "--"]
    return [*outer, which("setpriv"), *UNPRIVILEGED, *inner, *env]


def which(program: str) -> str:
    """Where a program is. Raises FileNotFoundError."""
    found = shutil.which(program)
    if found is None:
        raise FileNotFoundError(f"there is no {program}")
    return found


def tree(program: str) -> list[str]:
    """All that there is to be seen between the walls, as options."""
    words: list[str] = []
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    settings = [path for pattern in SETTINGS for path in sorted(Path("/etc").glob(pattern))]
    shown = {str(path): path for path in [*settings, *belongings(sys.executable, program)]}
    for inside, path in {**shown, TOOLS: Path(__file__).parent}.items():
        words += [*folders(inside), "--ro-bind", str(path), inside]
    words += ["--size", str(limits.SCRATCH), "--perms", "1777", "--tmpfs", ROOM]
    words += ["--perms", "0755", "--tmpfs", "/dev"]
    for name in DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, number in LINKS.items():
        words += ["--symlink", f"/proc/self/fd{number}", f"/dev/{name}"]
    return [*words, "--symlink", ROOM, "/dev/shm", "--remount-ro", "/dev"]


def folders(inside: str) -> list[str]:
    """Options for the folders above a path, which everybody may pass through."""
    return [
        word
        for folder in reversed(Path(inside).parents[:-1])
        for word in ("--perms", "0755", "--dir", str(folder))
    ]


def belongings(*programs: str) -> list[Path]:
    """The folders and files of programs that are not the system's."""
    found = dict.fromkeys(path for program in programs for path in belonging(program))
    return [path for path in found if not {*found, *map(Path, SYSTEM)} & {*path.parents}]


def belonging(program: str) -> Iterable[Path]:
    """What a program needs of the file system: what it is in, and where its links lead."""
    found = shutil.which(program) if "/" not in program or Path(program).is_absolute() else None
    if found is None:
        return []
    if PYTHON.fullmatch(Path(program).name):
        return [Path(found), *map(Path, asked(found))]
    return links(Path(found))


def called(program: str) -> str:
    """By what name a bot's program is found between the walls.

    A Python may be a script that picks one (as those of pyenv are), and needs much to do that.
    """
    found = shutil.which(program) if PYTHON.fullmatch(Path(program).name) else None
    if found is None or any(Path(found).is_relative_to(one) for one in SYSTEM):
        return program
    return next(iter(asked(found)), program)


@cache
def asked(python: str) -> list[str]:
    """What an interpreter says of itself: where it is, and its folders; nothing if it does not."""
    with suppress(OSError, subprocess.SubprocessError):
        command = [python, "-c", ASK]
        told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
        home = Path.home()
        parts = [Path(line) for line in told.stdout.splitlines()]
        return [str(part) for part in parts if part != home and part not in home.parents]
    return []


def links(path: Path) -> Iterable[Path]:
    """A program and what it is a link to, each with its prefix, such as /opt/node."""
    while True:
        prefix = path.parent.parent
        home = Path.home()
        shared = prefix in home.parents or prefix in (home, home / ".local")
        yield path if path.parent.name != "bin" or shared else prefix
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()
