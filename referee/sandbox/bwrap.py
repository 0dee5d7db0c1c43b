"""Build the command line of bubblewrap (bwrap) for a sandbox.

A bot gets new user, PID, network, IPC, UTS and mount namespaces, and no capabilities. It sees the
programs of the system and of its interpreter, read-only. The only writable folder is a tmpfs of
limited size, the scratch. If the referee is root, an outer bwrap makes the mounts, setpriv changes
to an unused user, and an inner bwrap drops the rest.
"""

from __future__ import annotations

import os
import pwd
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import chain
from pathlib import Path

from referee import in_bot
from referee.bot import PYTHON, Bot, first_line
from referee.in_bot.init_process import PROGRAMS, SCRATCH
from referee.processes import limits
from referee.sandbox import interpreter_settings, seccomp

TOOLS = "/run/koth"
"""The path of ``IN_BOT`` in a sandbox."""

IN_BOT = Path(in_bot.__file__).parent
"""The folder of the programs that run inside a bot's process."""

NOBODY = 65534
"""The user and group that bots see as their own."""

USERS = range(1_879_048_192, 2_147_352_576)
"""User numbers that neither systemd nor container software assigns."""

KEPT = ("SYS_ADMIN", "SETPCAP", "SYS_RESOURCE")
"""Capabilities of process 1 in the user namespace of the sandbox (see init_process)."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders of programs, or links to them."""

SETTINGS = ("alternatives", "java*", "ld.so.cache", "localtime", "lua*", "perl", "php*", "python3*")
"""Patterns of names in /etc that interpreters read without a link to them."""

DEVICES = ("full", "null", "random", "urandom", "zero")
LINKS = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}

UNSHARED = (
    *("--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--hostname", "koth", "--die-with-parent", "--new-session"),
)
CONFINED = (
    *("--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)),
    *("--unshare-pid", "--as-pid-1", "--cap-drop", "ALL", "--die-with-parent"),
    *(word for name in KEPT for word in ("--cap-add", f"CAP_{name}")),
)
PROC = (
    *("--proc", "/proc", "--perms", "0555", "--size", "4096"),
    *("--tmpfs", "/proc/1", "--remount-ro", "/proc/1"),
)
"""/proc, with an empty folder over process 1."""

UNPRIVILEGED = ("--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all")

PACKAGES = {"bwrap": "bubblewrap", "setpriv": "util-linux", "env": "coreutils"}
"""Programs that build a sandbox, and the Debian packages that contain them."""

PREFIXES = ("executable", "prefix", "base_prefix", "exec_prefix")
"""Names in :mod:`sys` of the path of an interpreter and its folders."""

PRINT_PREFIXES = f"import sys; print(*(getattr(sys, name) for name in {PREFIXES}), sep='\\n')"
"""A program that prints these."""

ENVIRONMENT = ("pyvenv.cfg", "bin", "lib", "lib64", "include", "share", "etc")
"""Names that belong to a Python environment; its folder may also hold other files."""

PROBE_TIMEOUT = 30
"""Seconds that PRINT_PREFIXES may take."""


def missing() -> str:
    """Return which program is missing, as a sentence, or ``""``."""
    for program, package in PACKAGES.items():
        if shutil.which(program) is None and (program != "setpriv" or os.geteuid() == 0):
            return f"there is no {program}; Debian has it in the package {package}"
    return ""


@contextmanager
def seccomp_filter() -> Iterator[Sequence[int]]:
    """Open a descriptor of the system call filter, if one exists for this machine."""
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
    """Return the user for a new sandbox: an unused one if the referee is root.

    The kernel then applies its limits per user to each sandbox alone.
    """
    if os.geteuid() != 0:
        return os.geteuid()
    number = secrets.choice(USERS)
    maps = [Path(f"/proc/self/{kind}_map").read_text() for kind in ("uid", "gid")]
    return number if all(map(partial(is_mapped, number), maps)) else NOBODY


def is_mapped(number: int, text: str) -> bool:
    """Return whether a user or group is mapped by the text of /proc/self/uid_map or gid_map."""
    ranges = [[int(word) for word in line.split()] for line in text.splitlines()]
    return any(first <= number < first + size for first, _, size in ranges)


def bwrap_command(
    bot: Bot, variables: Mapping[str, str], filters: Sequence[int], user: int
) -> list[str]:
    """Return the bwrap command that runs the words after it in a sandbox for ``bot``.

    ``variables`` are its whole environment. ``filters`` come from :func:`seccomp_filter`, and
    ``user`` from :func:`user`. Raises ValueError if the bot or a program cannot be shown in it.
    """
    check_name(bot)
    bwrap, mounts = which("bwrap"), mount_options(bot.programs, bot.binds)
    confined = [*CONFINED, *(word for number in filters for word in ("--seccomp", str(number)))]
    env = [which("env"), "-i", *(f"{name}={value}" for name, value in variables.items())]
    if os.geteuid() != 0:
        proc = [*PROC, "--remount-ro", "/"]
        return [bwrap, *UNSHARED, *confined, *mounts, *proc, "--", *env]
    outer = [bwrap, *UNSHARED, *mounts, "--bind", "/proc", "/proc", "--remount-ro", "/", "--"]
    inner = [bwrap, *confined, "--dev-bind", "/", "/", *PROC, "--"]
    to_user = [which("setpriv"), "--reuid", str(user), "--regid", str(user), *UNPRIVILEGED]
    return [*outer, *to_user, *inner, *env]


def check_name(bot: Bot) -> None:
    """Raise ValueError if the bot's folder in a sandbox would be a folder of programs."""
    for path in required_paths(sys.executable, *bot.programs):
        if path.is_relative_to(SCRATCH) and path.relative_to(SCRATCH).parts[0] == bot.name:
            raise ValueError(
                f"{path}: expected programs elsewhere; {SCRATCH}/{bot.name} is the bot's own "
                "folder in a sandbox. Give the bot another name, in a bots.toml, or move the "
                "programs"
            )


def which(program: str) -> str:
    """Return the path of a program. Raises FileNotFoundError if it is missing."""
    path = shutil.which(program)
    if path is None:
        raise FileNotFoundError(f"there is no {program}")
    return path


def cannot_show(path: Path) -> str:
    """Return why a path cannot be shown in a sandbox, as half a sentence, or ``""``."""
    own = [Path(name) for name in ("/dev", "/proc", "/sys", SCRATCH, TOOLS)]
    if not path.exists():
        return "expected a file or a folder, found nothing"
    resolved = path.resolve()
    above = {path, resolved, *path.parents, *resolved.parents}
    holds_own = {path, resolved} & {*chain(*(folder.parents for folder in own))}
    if holds_own or above & {*own}:
        return f"expected another path; a sandbox has {', '.join(map(str, own))} of its own"
    if os.geteuid() == 0 and not is_for_all(path):
        return "expected that everybody may read it: no bot is root"
    return ""


def is_for_all(path: Path) -> bool:
    """Return whether everybody may read a file, or list and enter a folder."""
    least = interpreter_settings.LIST_AND_ENTER if path.is_dir() else interpreter_settings.READ
    return path.stat().st_mode & least == least


def mount_options(programs: Sequence[str], binds: Sequence[str]) -> list[str]:
    """Return the options for all mounts in a sandbox, except /proc."""
    settings = [
        path for pattern in SETTINGS for path in sorted(interpreter_settings.ETC.glob(pattern))
    ]
    settings += [
        path for path in interpreter_settings.linked() if not {path, *path.parents} & {*settings}
    ]
    words = ["--size", str(limits.SCRATCH), "--perms", "1777", "--tmpfs", SCRATCH]
    bound = {*map(below_links, map(Path, binds))}
    for path in sorted(bound):
        words += read_only(path, path)
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    for path in settings:
        if not bound & {path, *path.parents}:
            words += read_only(path, path)
    shown = {*map(Path, SYSTEM), *settings, *bound}
    for path in required_paths(sys.executable, *programs):
        if not shown & {path, *path.parents}:
            words += program_options(path)
    return [*words, *read_only(IN_BOT, Path(TOOLS)), *device_options()]


def below_links(path: Path) -> Path:
    """Return the real path of a path in the system's folders, some of which are links."""
    return path.resolve() if any(map(path.is_relative_to, SYSTEM)) else path


def device_options() -> list[str]:
    """Return the options for /dev."""
    words = ["--perms", "0755", "--tmpfs", "/dev"]
    for name in DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, number in LINKS.items():
        words += ["--symlink", f"/proc/self/fd{number}", f"/dev/{name}"]
    return [*words, "--symlink", SCRATCH, "/dev/shm", "--remount-ro", "/dev"]


def program_options(path: Path) -> list[str]:
    """Return the options for a file or folder of a program; two mounts if it is below SCRATCH."""
    if path.is_relative_to(SCRATCH):
        copy = PROGRAMS / path.relative_to(SCRATCH)
        return [*read_only(path, path), *read_only(path, copy)]
    if path.is_symlink():
        target = path.resolve() if path.is_dir() else path.readlink()
        return [*parents(path), "--symlink", str(target), str(path)]
    return read_only(path, path)


def read_only(source: Path, target: Path) -> list[str]:
    """Return the options that mount ``source`` read-only at ``target``."""
    return [*parents(target), "--ro-bind", str(source), str(target)]


def parents(path: Path) -> list[str]:
    """Return the options that create the parents of a path, which everybody may enter."""
    above = reversed(path.parents[:-1])
    return [word for folder in above for word in ("--perms", "0755", "--dir", str(folder))]


# --- programs ------------------------------------------------------------------------------------


def required_paths(*programs: str) -> list[Path]:
    """Return the files and folders that programs need, none of them inside another.

    Raises ValueError if a bot cannot reach one of them in a sandbox.
    """
    paths_of_all = chain(*map(paths_of, programs))
    needed = dict.fromkeys(chain(*map(with_target, paths_of_all)))
    paths = [path for path in needed if not {*needed} & {*path.parents}]
    for path in paths:
        if path.is_relative_to("/dev") or path == Path(SCRATCH):
            raise ValueError(f"{path}: expected programs elsewhere; a sandbox has its own {path}")
        if os.geteuid() == 0 and not is_for_all(path):
            raise ValueError(f"{path}: expected that everybody may read it: no bot is root")
    return paths


def paths_of(program: str) -> list[Path]:
    """Return the files and folders that a program needs: its folder, and the targets of links."""
    path = shutil.which(program) if "/" not in program or Path(program).is_absolute() else None
    if path is None:
        return []
    prefixes = python_paths(path) if PYTHON.fullmatch(Path(program).name) else []
    if not prefixes:
        return [*link_targets(Path(path))]
    return [Path(path), *chain(*map(environment_parts, map(Path, prefixes)))]


def with_target(path: Path) -> Iterator[Path]:
    """Yield a path and, if it is a link to a folder, such as /opt/node, that folder."""
    yield path
    if path.is_symlink() and path.is_dir():
        yield path.resolve()


def environment_parts(prefix: Path) -> list[Path]:
    """Return the parts of an interpreter's folder, without other files in an environment's."""
    if not (prefix / ENVIRONMENT[0]).is_file():
        return [prefix]
    return [path for name in ENVIRONMENT if (path := prefix / name).exists()]


def sandboxed_command(bot: Bot, command: Sequence[str]) -> list[str]:
    """Return a bot's command with the path of its Python interpreter.

    The name may lead to a script that selects an interpreter, such as pyenv's, which a sandbox does
    not show.
    """
    if command[0] == bot.command[0] and bot.own_program is not None:
        return [*interpreter_words(bot.own_program.content, bot.programs), *command]
    return [own_python(command[0]) or command[0], *command[1:]]


def interpreter_words(script: bytes, programs: Sequence[str]) -> list[str]:
    """Return the words that the system puts before a script, with the path of its Python.

    These are the first word of its first line, and the rest of the line as one word. Return none if
    no program needs its path.
    """
    for program in programs:
        if path := own_python(program):
            name = re.compile(rf"(?<!\S){re.escape(program)}(?!\S)")
            line = name.sub(path.replace("\\", r"\\"), first_line(script), count=1)
            return re.split(r"[ \t]+", line.strip(" \t"), maxsplit=1)
    return []


def own_python(program: str) -> str:
    """Return the path of a Python outside the system's folders; ``""`` for other programs."""
    path = shutil.which(program) if PYTHON.fullmatch(Path(program).name) else None
    if path is None or any(Path(path).is_relative_to(folder) for folder in SYSTEM):
        return ""
    return next(iter(python_paths(path)), "")


@cache
def python_paths(python: str) -> list[str]:
    """Return an interpreter's own path and its folders; none if it does not answer."""
    is_own = python == sys.executable
    paths = [getattr(sys, name) for name in PREFIXES] if is_own else printed_paths(python)
    return [path for path in paths if not contains_home(Path(path))]


def printed_paths(python: str) -> list[str]:
    """Ask an interpreter for these paths."""
    command = [python, "-c", PRINT_PREFIXES]
    with suppress(OSError, subprocess.SubprocessError):
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=PROBE_TIMEOUT, check=True
        )
        return run.stdout.splitlines()
    return []


def link_targets(path: Path) -> Iterator[Path]:
    """Yield a program and the targets of its links, each as its prefix, such as /opt/node."""
    while True:
        prefix = path.parent.parent
        shared = contains_home(prefix) or prefix.name == ".local" or prefix == Path(SCRATCH)
        yield path if path.parent.name != "bin" or shared else prefix
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def contains_home(folder: Path) -> bool:
    """Return whether a folder is, or contains, the home folder of the referee's user; ``/`` does.

    Both HOME and the system's list of users count; a user may be without a home. Links count as
    their targets.
    """
    homes = [Path("/")]
    with suppress(RuntimeError):
        homes.append(Path.home())
    with suppress(KeyError):
        homes.append(Path(pwd.getpwuid(os.getuid()).pw_dir))
    homes += [home.resolve() for home in homes]
    return any({folder, folder.resolve()} & {home, *home.parents} for home in homes)
