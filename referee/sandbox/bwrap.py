"""The walls of a sandbox, as a command for bubblewrap (bwrap).

Between them a bot has user, process, network, IPC, host name and mount namespaces of its own, and
no capabilities. It finds the system's programs and those of its interpreter, read-only, and one
folder in memory that it can write in, of a limited size: its room. Where the referee is root, root
makes the mounts, and leaves its rights and its name before a second bwrap closes the rest.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import chain
from pathlib import Path

from referee import in_bot
from referee.bot import Bot
from referee.processes import limits
from referee.processes.process import PYTHON
from referee.sandbox import interpreter_settings, seccomp

TOOLS = "/run/koth"
"""Where a sandbox has the folder ``IN_BOT``."""

IN_BOT = Path(in_bot.__file__).parent
"""The part of the referee that runs inside a bot's process."""

ROOM = "/tmp"

BELOW_ROOM = "/run/koth-tmp"
"""Where the programs below the room are, too: the first process shows them in each new room."""

NOBODY = 65534
"""Whom bots find themselves to be."""

USERS = range(1_879_048_192, 2_147_352_576)
"""Numbers that nobody gives to users: neither systemd nor those who make containers."""

KEPT = ("SYS_ADMIN", "SETPCAP", "SYS_RESOURCE")
"""Capabilities of the first process, in a user namespace of its own (see init_process)."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders of programs, or links into other ones."""

SETTINGS = ("alternatives", "java*", "ld.so.cache", "localtime", "lua*", "perl", "php*", "python3*")
"""What interpreters read there without a link that leads to it."""

DEVICES = ("full", "null", "random", "urandom", "zero")
LINKS = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}

APART = (
    *("--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--hostname", "koth", "--die-with-parent", "--new-session"),
)
CONFINED = (
    *("--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)),
    *("--unshare-pid", "--as-pid-1", "--cap-drop", "ALL", "--die-with-parent"),
    *(word for one in KEPT for word in ("--cap-add", f"CAP_{one}")),
)
PROC = (
    *("--proc", "/proc", "--perms", "0555", "--size", "4096"),
    *("--tmpfs", "/proc/1", "--remount-ro", "/proc/1"),
)
"""The processes, but not what there is to be read of the first."""

UNPRIVILEGED = ("--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all")

PACKAGES = {"bwrap": "bubblewrap", "setpriv": "util-linux", "env": "coreutils"}
"""What the walls are made of, and where Debian has it."""

ASK = "import sys; print(sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, sep='\\n')"
"""Asks an interpreter what belongs to it."""

ENVIRONMENT = ("pyvenv.cfg", "bin", "lib", "lib64", "include", "share", "etc")
"""Parts of a Python environment; other files may have been put beside them."""

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


def user() -> int:
    """Whom the processes of a new sandbox run as, which is nobody else where the referee is root.

    What the kernel counts by user is then counted for each sandbox.
    """
    if os.geteuid() != 0:
        return os.geteuid()
    number = secrets.choice(USERS)
    maps = [Path(f"/proc/self/{kind}_map").read_text() for kind in ("uid", "gid")]
    return number if all(map(partial(is_mapped, number), maps)) else NOBODY


def is_mapped(number: int, text: str) -> bool:
    """Whether a user or group is there, by the text of /proc/self/uid_map or gid_map."""
    parts = [[int(word) for word in line.split()] for line in text.splitlines()]
    return any(first <= number < first + many for first, _, many in parts)


def bwrap_command(
    bot: Bot, variables: Mapping[str, str], filters: Sequence[int], user: int
) -> list[str]:
    """The beginning of a command that runs the rest between walls, with the bot's programs there.

    ``variables`` are all of its environment; ``filters`` come from :func:`forbidding`, and ``user``
    from :func:`user`.
    """
    check_name(bot)
    bwrap, seen = which("bwrap"), tree(bot.programs, bot.binds)
    confined = [*CONFINED, *(word for one in filters for word in ("--seccomp", str(one)))]
    env = [which("env"), "-i", *(f"{name}={value}" for name, value in variables.items())]
    if os.geteuid() != 0:
        proc = [*PROC, "--remount-ro", "/"]
        return [bwrap, *APART, *confined, *seen, *proc, "--", *env]
    outer = [bwrap, *APART, *seen, "--bind", "/proc", "/proc", "--remount-ro", "/", "--"]
    inner = [bwrap, *confined, "--dev-bind", "/", "/", *PROC, "--"]
    to_user = [which("setpriv"), "--reuid", str(user), "--regid", str(user), *UNPRIVILEGED]
    return [*outer, *to_user, *inner, *env]


def check_name(bot: Bot) -> None:
    """Raises ValueError where the bot's folder would be one in which there are programs."""
    for path in required_paths(sys.executable, *bot.programs):
        if path.is_relative_to(ROOM) and path.relative_to(ROOM).parts[0] == bot.name:
            raise ValueError(
                f"{path}: expected programs elsewhere; {ROOM}/{bot.name} is the bot's own folder "
                "in a sandbox. Give the bot another name, in a bots.toml, or move the programs"
            )


def which(program: str) -> str:
    """Where a program is. Raises FileNotFoundError."""
    found = shutil.which(program)
    if found is None:
        raise FileNotFoundError(f"there is no {program}")
    return found


def cannot_show(path: Path) -> str:
    """Why a path cannot be shown to bots, in half a sentence; nothing if it can."""
    own = [Path(name) for name in ("/dev", "/proc", "/sys", ROOM, TOOLS)]
    if not path.exists():
        return "expected a file or a folder, found nothing"
    if path == Path("/") or {path, *path.parents, *path.resolve().parents} & {*own}:
        return f"expected another path; a sandbox has {', '.join(map(str, own[:-1]))} of its own"
    if os.geteuid() == 0 and not is_for_all(path):
        return "expected that everybody may read it: no bot is root"
    return ""


def is_for_all(path: Path) -> bool:
    """Whether everybody may read a file, or list a folder and pass through it."""
    least = REACHED if path.is_dir() else 0o004
    return path.stat().st_mode & least == least


def tree(programs: Sequence[str], binds: Sequence[str] = ()) -> list[str]:
    """All that there is to be seen between the walls, as options."""
    words = ["--size", str(limits.SCRATCH), "--perms", "1777", "--tmpfs", ROOM]
    for path in sorted(map(Path, binds)):
        words += [*folders(path), "--ro-bind", str(path), str(path)]
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    shown = [
        path for pattern in SETTINGS for path in sorted(interpreter_settings.ETC.glob(pattern))
    ]
    shown += [
        path for path in interpreter_settings.linked() if not {path, *path.parents} & {*shown}
    ]
    for path in shown:
        words += [*folders(path), "--ro-bind", str(path), str(path)]
    known = {*map(Path, SYSTEM), *shown, *map(Path, binds)}
    for path in required_paths(sys.executable, *programs):
        if not known & {path, *path.parents}:
            words += belonging_shown(path)
    words += [*folders(Path(TOOLS)), "--ro-bind", str(IN_BOT), TOOLS]
    words += ["--perms", "0755", "--tmpfs", "/dev"]
    for name in DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, number in LINKS.items():
        words += ["--symlink", f"/proc/self/fd{number}", f"/dev/{name}"]
    return [*words, "--symlink", ROOM, "/dev/shm", "--remount-ro", "/dev"]


def belonging_shown(path: Path) -> list[str]:
    """Options for a folder or file of a program. Below the room it is also where that stays."""
    if path.is_relative_to(ROOM):
        copy = BELOW_ROOM / path.relative_to(ROOM)
        both = [[*folders(one), "--ro-bind", str(path), str(one)] for one in (path, copy)]
        return both[0] + both[1]
    how = ("--symlink", str(path.readlink())) if path.is_symlink() else ("--ro-bind", str(path))
    return [*folders(path), *how, str(path)]


def folders(path: Path) -> list[str]:
    """Options for the folders above a path, which everybody may pass through."""
    above = reversed(path.parents[:-1])
    return [word for folder in above for word in ("--perms", "0755", "--dir", str(folder))]


def required_paths(*programs: str) -> list[Path]:
    """The folders and files of programs, none of them in another.

    Raises ValueError where a bot could not reach one, although the referee can.
    """
    found = dict.fromkeys(path for program in programs for path in belonging(program))
    paths = [path for path in found if not {*found} & {*path.parents}]
    for path in paths:
        if path.is_relative_to("/dev") or path == Path(ROOM):
            raise ValueError(f"{path}: expected programs elsewhere; a sandbox has its own {path}")
        if os.geteuid() == 0 and not is_for_all(path):
            raise ValueError(f"{path}: expected that everybody may read it: no bot is root")
    return paths


def belonging(program: str) -> Iterable[Path]:
    """What a program needs of the file system: what it is in, and where its links lead."""
    found = shutil.which(program) if "/" not in program or Path(program).is_absolute() else None
    if found is None:
        return []
    if PYTHON.fullmatch(Path(program).name):
        folders = map(parts, map(Path, asked(found)))
        return [Path(found), *(chain(*folders) if asked(found) else links(Path(found)))]
    return [*links(Path(found))]


def parts(prefix: Path) -> list[Path]:
    """What to show of an interpreter's folder; of an environment, nothing that is not its own."""
    if not (prefix / ENVIRONMENT[0]).is_file():
        return [prefix]
    return [path for name in ENVIRONMENT if (path := prefix / name).exists()]


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
        return [line for line in told.stdout.splitlines() if not holds_a_home(Path(line))]
    return []


def links(path: Path) -> Iterable[Path]:
    """A program and what it is a link to, each with its prefix, such as /opt/node."""
    while True:
        prefix = path.parent.parent
        shared = holds_a_home(prefix) or prefix.name == ".local" or prefix == Path(ROOM)
        yield path if path.parent.name != "bin" or shared else prefix
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def holds_a_home(folder: Path) -> bool:
    """Whether this is the home of whoever runs the referee, or above it.

    Their home by the system's list of users counts, whatever HOME says.
    """
    homes = []
    with suppress(RuntimeError):
        homes.append(Path.home())
    with suppress(KeyError):
        homes.append(Path(pwd.getpwuid(os.getuid()).pw_dir))
    return any(folder in (home, *home.parents) for home in homes)
