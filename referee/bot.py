"""A bot: a name, a command, and the files that are copied into its scratch folder.

The command runs in that folder. A bot's hash covers its files, its class, and its command, unless
the command follows from the bot's only file.
"""

from __future__ import annotations

import ast
import os
import posixpath
import re
import sys
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, count, dropwhile
from pathlib import Path, PurePosixPath
from shutil import which

from referee.errors import BotsError, raise_all
from schema import seal
from schema.names import INVISIBLE, folded

INTERPRETERS = {".py": "python3", ".sh": "sh"}
"""Interpreters of files that have no command, by suffix."""

MAX_NAME = 64
"""Maximum characters of a bot's name."""
_NAME = re.compile(rf"[^\s/\\]{{1,{MAX_NAME}}}")
MAX_NAME_BYTES = 200
"""Maximum bytes of a bot's name, which becomes part of file names."""

_PYTHON3 = re.compile(r"python(3(\.[0-9]+)?)?")
"""Names of programs that the hash of a bot replaces with ``python3``."""

PYTHON = re.compile(r"python[0-9.]*")
"""Names of programs that are Python interpreters."""

LIBRARY = sys.stdlib_module_names | {"org"}
"""Modules that Python's library may import; it looks for ``org`` in case it runs in Jython."""

_ENCODING = re.compile(rb"coding[:=][ \t]*([-\w.]+)")
"""A declaration of a source's encoding."""

MAX_SOURCE = 128 * 1024
"""Maximum bytes of Python that the referee parses or compiles for a bot, outside its time limit."""


@dataclass(frozen=True)
class BotFile:
    """The content of a bot's file, and whether it is executable."""

    content: bytes
    executable: bool


@dataclass(frozen=True)
class Bot:
    """A program that plays."""

    name: str
    command: tuple[str, ...]
    """Runs in the bot's folder."""
    files: tuple[tuple[str, BotFile], ...]
    """Pairs of a path in the bot's folder and the file."""
    class_name: str = ""
    """The Python class that plays; empty if the bot is a program."""
    binds: tuple[str, ...] = ()
    """Absolute paths that its sandbox shows in addition, read-only."""

    files_only: bool = False
    """Whether its hash covers its files only, as in earlier logs."""

    doubts: Sequence[str] = field(default=(), compare=False)
    """Sentences about files that may be missing."""

    @cached_property
    def hash(self) -> str:
        """The hash of the bot in a log (docs/log-format.md)."""
        if self.files_only:
            return self.files_hash
        return seal.bot_hash(self._contents, self.hashed_command, self.class_name)

    @cached_property
    def files_hash(self) -> str:
        """The hash of the bot's files only."""
        return seal.bot_hash(self._contents)

    def is_recorded_as(self, recorded: str) -> bool:
        """Return whether ``recorded`` is the hash of this bot, in the current or earlier form."""
        return recorded in (self.hash, self.files_hash)

    @property
    def _contents(self) -> dict[str, bytes]:
        return {name: file.content for name, file in self.files}

    @property
    def hashed_command(self) -> Sequence[str]:
        """The command in the hash: programs by name, empty if the only file implies it.

        The path of an interpreter and the version of Python 3 belong to the machine, not the bot.
        """
        program, *words = self.command
        if Path(program).is_absolute():
            program = Path(program).name
            if sys.platform == "win32":
                program = program.removesuffix(".exe")
        command = ["python3" if _PYTHON3.fullmatch(program) else program, *words]
        if len(self.files) != 1:
            return command
        file = self.files[0][0]
        implied = ["python3", file] if self.class_name else implied_command(file)
        return () if command == implied else command

    @cached_property
    def paths(self) -> Sequence[str]:
        """The paths of its files and of their folders, in the bot's own folder."""
        names = [name for name, _ in self.files]
        folders = {str(up) for name in names for up in PurePosixPath(name).parents}
        return [*names, *(folders - {"."})]

    @property
    def modules(self) -> set[str]:
        """The names of its files and folders, which could be modules, without suffixes."""
        return {part.partition(".")[0] for name, _ in self.files for part in name.split("/")}

    @property
    def own_program(self) -> BotFile | None:
        """The program of its command if it is one of its files."""
        program = self.command[0]
        return dict(self.files).get(posixpath.normpath(program)) if "/" in program else None

    @cached_property
    def programs(self) -> Sequence[str]:
        """The program that it needs: that of its command, or the interpreter of its file."""
        program = self.command[0]
        file = self.own_program
        if file is None:
            return [program]
        words = interpreter_line(file.content)
        # The bot wrote this file: it may name programs in PATH only.
        return [word for word in words[:1] if word in (name := Path(word).name, which(name))]

    @cached_property
    def script(self) -> str:
        """Its script, if the command is a Python interpreter with one of its files; or ``""``.

        A file is none if Python takes its name for an option. A bot with a file or folder named
        like a standard module has none: a module that is imported before the script could hide it.
        Nor has one in another encoding than UTF-8: Python reads a file in another way than bytes.
        """
        program, *words = self.command
        names = [name for name, _ in self.files]
        python = Path(program)
        if not words or words[0] not in names or words[0].startswith("-"):
            return ""
        if not PYTHON.fullmatch(python.name):
            return ""
        if program != python.name and not python.is_absolute():
            return ""
        size = sum(len(file.content) for name, file in self.files if name.endswith(".py"))
        plain = size <= MAX_SOURCE and self.modules.isdisjoint(LIBRARY)
        return words[0] if plain and is_utf8(dict(self.files)[words[0]].content) else ""

    def install(self, folder: Path) -> None:
        """Copy the bot's files into ``folder``, which is created if necessary."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, file in self.files:
            path = folder / name
            if "/" in name:
                path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
            path.chmod(0o755 if file.executable else 0o644)


def parsed(bot: Bot) -> ast.Module | None:
    """Return the syntax tree of the bot's file; None if it is not Python or too large."""
    content = dict(bot.files)[bot.command[-1]].content
    return None if len(content) > MAX_SOURCE else syntax_tree(content)


def syntax_tree(source: bytes) -> ast.Module | None:
    """Return the syntax tree of a source; None if it is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are shown where the bot runs
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_utf8(source: bytes) -> bool:
    """Return whether a Python source is in UTF-8, and declares no other encoding (PEP 263)."""
    try:
        source.decode()
    except UnicodeDecodeError:
        return False
    declared = [word for line in source.splitlines()[:2] for word in _ENCODING.findall(line)]
    return all(word.lower() in (b"utf-8", b"utf8") for word in declared)


def first_line(content: bytes) -> str:
    """Return what follows ``#!`` in the first line of a script, or ``""``."""
    first = content.split(b"\n", 1)[0]
    return os.fsdecode(first[2:]) if first.startswith(b"#!") else ""


def interpreter_line(content: bytes) -> list[str]:
    """Return the words after ``#!`` in the first line of a script, without ``env`` itself."""
    words = first_line(content).split()
    if words and Path(words[0]).name == "env":
        return [*dropwhile(lambda word: word.startswith("-") or "=" in word, words[1:])]
    return words


def implied_command(file: str) -> list[str]:
    """Return the command of a bot whose only file is ``file``."""
    interpreter = INTERPRETERS.get(PurePosixPath(file).suffix)
    return [interpreter, as_argument(file)] if interpreter else [f"./{file}"]


def as_argument(file: str) -> str:
    """Return a file's name as an interpreter takes it: ``./-x.py`` for one like an option."""
    return f"./{file}" if file.startswith("-") else file


def checked_name(name: str, source: Path) -> str:
    """Return ``name``, which ``source`` gives to a bot. Raises BotsError if it is not valid."""
    valid = _NAME.fullmatch(name) and name.isprintable() and name not in (".", "..")
    if not valid or len(name.encode()) > MAX_NAME_BYTES:
        raise BotsError(
            f"{source}: expected a name of 1 to {MAX_NAME} printable characters "
            f"({MAX_NAME_BYTES} bytes) without white space and slashes, other than . and .., "
            f"found {name!r}."
        )
    if hidden := INVISIBLE.search(name):
        raise BotsError(
            f"{source}: expected a name without invisible characters, found "
            f"U+{ord(hidden[0]):04X} in {name!a}."
        )
    return name


def check_names(bots: Sequence[Bot]) -> None:
    """Raise BotsError if names of ``bots`` are equal or differ only in case or encoding."""
    same: dict[str, list[str]] = {}
    for bot in bots:
        same.setdefault(folded(bot.name), []).append(bot.name)
    raise_all(
        f"{_alike(names)}. Give one of them another name, in a bots.toml."
        for names in same.values()
        if len(names) > 1
    )


def _alike(names: Sequence[str]) -> str:
    """Return a sentence about bots whose names look the same."""
    if len({*names}) == 1:
        count = "two" if len(names) == 2 else str(len(names))
        return f"{count} bots are called '{names[0]}'"
    listed = ", ".join(f"'{name}'" for name in names[:-1])
    return f"the bots {listed} and '{names[-1]}' have names that look alike"


def number_names(bots: Sequence[Bot]) -> list[Bot]:
    """Return ``bots`` with ``-2`` … at the end of repeated names, so that a bot can play itself."""
    named: dict[str, Bot] = {}
    for bot in bots:
        name = free_name(bot.name, named)
        named[name] = replace(bot, name=name)
    return [*named.values()]


def free_name(name: str, taken: Collection[str]) -> str:
    """Return ``name``, or with the first number from ``-2`` on if it is taken."""
    others = (numbered(name, str(number)) for number in count(2))
    return next(free for free in chain([name], others) if free not in taken)


def numbered(name: str, number: str) -> str:
    """Return ``name`` with a number at its end, which replaces what would be too long."""
    suffix = f"-{number}"
    return f"{name[: MAX_NAME - len(suffix)]}{suffix}"
