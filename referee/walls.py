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
from referee.bots import Bot
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
PROC = (
    *("--proc", "/proc", "--perms", "0555", "--size", "4096"),
    *("--tmpfs", "/proc/1", "--remount-ro", "/proc/1"),
)
"""The processes, but not what there is to be read of the first."""

UNPRIVILEGED = (
    *("--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"),
    *("--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"),
)

PACKAGES = {"bwrap": "bubblewrap", "setpriv": "util-linux", "env": "coreutils"}
"""What the walls are made of, and where Debian has it."""

ASK = "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, sep='\\n')"
"""Asks an interpreter what belongs to it."""

REACHED = 0o005
"""What everybody may do with a folder: list it, and pass through."""

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


def around(bot: Bot, settings: Mapping[str, str], filters: Sequence[int]) -> list[str]:
    """The beginning of a command that runs the rest between walls, with the bot's programs there.

    ``settings`` are all of its environment; ``filters`` come from :func:`forbidding`.
    """
    bwrap, seen = which("bwrap"), tree(bot.programs)
    confined = [*CONFINED, *(word for one in filters for word in ("--seccomp", str(one)))]
    env = [which("env"), "-i", *(f"{name}={value}" for name, value in settings.items())]
    if os.geteuid() != 0:
        proc = [*PROC, "--remount-ro", "/"]
        return [bwrap, *APART, *confined, *seen, *proc, "--", *env]
    outer = [bwrap, *APART, *seen, "--bind", "/proc", "/proc", "--remount-ro", "/", "--"]
    inner = [bwrap, *confined, "--dev-bind", "/", "/", *PROC, "--"]
    return [*outer, which("setpriv"), *UNPRIVILEGED, *inner, *env]


def which(program: str) -> str:
    """Where a program is. Raises FileNotFoundError."""
    found = shutil.which(program)
    if found is None:
        raise FileNotFoundError(f"there is no {program}")
    return found


def tree(programs: Sequence[str]) -> list[str]:
    """All that there is to be seen between the walls, as options."""
    words = ["--size", str(limits.SCRATCH), "--perms", "1777", "--tmpfs", ROOM]
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    settings = [path for pattern in SETTINGS for path in sorted(Path("/etc").glob(pattern))]
    for path in settings:
        words += [*folders(path), "--ro-bind", str(path), str(path)]
    known = {*map(Path, SYSTEM), *settings}
    for path in belongings(sys.executable, *programs):
        if path.is_symlink() and not known & {path, *path.parents}:
            words += [*folders(path), "--symlink", str(path.readlink()), str(path)]
        elif not known & {path, *path.parents}:
            words += [*folders(path), "--ro-bind", str(path), str(path)]
    words += [*folders(Path(TOOLS)), "--ro-bind", str(Path(__file__).parent), TOOLS]
    words += ["--perms", "0755", "--tmpfs", "/dev"]
    for name in DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, number in LINKS.items():
        words += ["--symlink", f"/proc/self/fd{number}", f"/dev/{name}"]
    return [*words, "--symlink", ROOM, "/dev/shm", "--remount-ro", "/dev"]


def folders(path: Path) -> list[str]:
    """Options for the folders above a path, which everybody may pass through."""
    above = [folder for folder in reversed(path.parents[:-1]) if folder != Path(ROOM)]
    return [word for folder in above for word in ("--perms", "0755", "--dir", str(folder))]


def belongings(*programs: str) -> list[Path]:
    """The folders and files of programs, none of them in another.

    Raises ValueError where a bot could not reach one, although the referee can.
    """
    found = dict.fromkeys(path for program in programs for path in belonging(program))
    paths = [path for path in found if not {*found} & {*path.parents}]
    for path in paths:
        if path.is_relative_to("/dev") or (path.is_relative_to(ROOM) and os.geteuid() != 0):
            raise ValueError(
                f"{path}: expected programs elsewhere; a sandbox has /dev and /tmp of its own"
            )
        if os.geteuid() == 0 and path.stat().st_mode & REACHED != REACHED:
            raise ValueError(f"{path}: expected that everybody may read it: no bot is root")
    return paths


def belonging(program: str) -> Iterable[Path]:
    """What a program needs of the file system: what it is in, and where its links lead."""
    found = shutil.which(program) if "/" not in program or Path(program).is_absolute() else None
    if found is None:
        return []
    if PYTHON.fullmatch(Path(program).name):
        return [Path(found), *(map(Path, asked(found)) if asked(found) else links(Path(found)))]
    return [*links(Path(found))]


def called(bot: Bot, command: Sequence[str]) -> list[str]:
    """A bot's command with a Python as it is found between the walls.

    One that is not the system's may be a script that picks another (as those of pyenv are), and
    needs much to do that.
    """
    if command[0] == bot.command[0] and command[0] not in bot.programs:
        return [*filter(None, map(own_python, bot.programs)), *command]
    return [own_python(command[0]) or command[0], *command[1:]]


def own_python(program: str) -> str:
    """Where a Python is that is not the system's; nothing for other programs."""
    found = shutil.which(program) if PYTHON.fullmatch(Path(program).name) else None
    if found is None or any(Path(found).is_relative_to(one) for one in SYSTEM):
        return ""
    return next(iter(asked(found)), "")


@cache
def asked(python: str) -> list[str]:
    """What an interpreter says of itself: where it is, and its folders; nothing if it does not."""
    with suppress(OSError, subprocess.SubprocessError):
        command = [python, "-c", ASK]
        told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
        home = at_home()
        parts = [Path(line) for line in told.stdout.splitlines()]
        return [str(part) for part in parts if part != home and part not in home.parents]
    return []


def links(path: Path) -> Iterable[Path]:
    """A program and what it is a link to, each with its prefix, such as /opt/node."""
    while True:
        prefix = path.parent.parent
        home = at_home()
        shared = prefix in home.parents or prefix in (home, home / ".local")
        yield path if path.parent.name != "bin" or shared else prefix
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def at_home() -> Path:
    """The home of whoever runs the referee, who may have none."""
    with suppress(RuntimeError):
        return Path.home()
    return Path("/")
