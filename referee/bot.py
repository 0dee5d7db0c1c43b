"""A bot: a name, a command, and the files that are copied into its scratch folder before a match.

The command runs in that folder. A bot's hash covers its files, its command where that does not
follow from a lone file, and its class.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from shutil import which

from referee.errors import BotsError, raise_all
from schema import seal

INTERPRETERS = {".py": "python3", ".sh": "sh"}
"""The interpreter of a file that is run without a command of its own, by the file's suffix."""

_NAME = re.compile(r"[^\s/\\]{1,64}")
LONGEST_NAME = 200
"""Bytes of a bot's name: folders and files are called after it."""

_PYTHON = re.compile(r"python(3(\.[0-9]+)?)?")
"""Names of programs that the hash of a bot calls ``python3``."""

LARGEST = 128 * 1024
"""Bytes of Python that are looked at, or compiled, before a bot runs: not in the bot's own time."""


@dataclass(frozen=True)
class BotFile:
    """One file of a bot: its content, and whether it may be executed."""

    content: bytes
    executable: bool


@dataclass(frozen=True)
class Bot:
    """One bot. ``files`` are (path in its folder, file); ``command`` runs in that folder."""

    name: str
    command: tuple[str, ...]
    files: tuple[tuple[str, BotFile], ...]
    class_name: str = ""
    """Of a bot that is a Python class, where its file holds several."""
    binds: tuple[str, ...] = ()
    """Absolute paths that its sandbox shows besides, read-only."""

    files_only: bool = False
    """Whether its hash is that of its files alone, as earlier logs have it."""

    doubts: Sequence[str] = field(default=(), compare=False)
    """Sentences about what may be missing, for whoever named the bot."""

    @cached_property
    def hash(self) -> str:
        """The hash that a log records of the bot (docs/log-format.md)."""
        if self.files_only:
            return self.files_hash
        return seal.bot_hash(self._contents, self._hashed_command, self.class_name)

    @cached_property
    def files_hash(self) -> str:
        """The hash of the bot's files alone."""
        return seal.files_hash(self._contents)

    def is_recorded_as(self, recorded: str) -> bool:
        """Whether ``recorded`` is the hash of this bot, in its form of today or the earlier one."""
        return recorded in (self.hash, self.files_hash)

    @property
    def _contents(self) -> dict[str, bytes]:
        return {name: file.content for name, file in self.files}

    @property
    def _hashed_command(self) -> Sequence[str]:
        """The command as the hash covers it: programs by name; nothing if a lone file implies it.

        Where an interpreter is, and which Python 3 it is, belongs to the machine, not to the bot.
        """
        program, *words = self.command
        if Path(program).is_absolute():
            program = Path(program).name
        command = ["python3" if _PYTHON.fullmatch(program) else program, *words]
        implied = len(self.files) == 1 and command == implied_command(self.files[0][0])
        return () if implied else command

    @cached_property
    def paths(self) -> Sequence[str]:
        """Its files, and the folders that they are in, in its own."""
        names = [name for name, _ in self.files]
        folders = {str(up) for name in names for up in PurePosixPath(name).parents}
        return [*names, *(folders - {"."})]

    @cached_property
    def programs(self) -> Sequence[str]:
        """What has to be there to run it: its command's program, or what its own file names."""
        program = self.command[0]
        file = dict(self.files).get(program.removeprefix("./")) if "/" in program else None
        if file is None:
            return [program]
        first = file.content.split(b"\n", 1)[0]
        words = os.fsdecode(first[2:]).split() if first.startswith(b"#!") else []
        if words and Path(words[0]).name == "env":
            words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        # The file is the bot's: it may name what is in PATH, and nothing else.
        return [word for word in words[:1] if word in (name := Path(word).name, which(name))]

    def install(self, folder: Path) -> None:
        """Copy the bot's files into ``folder``, its scratch, which is made if need be."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, file in self.files:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
            path.chmod(0o755 if file.executable else 0o644)


def implied_command(file: str) -> list[str]:
    """The command of a bot that is ``file`` and nothing else."""
    interpreter = INTERPRETERS.get(PurePosixPath(file).suffix)
    return [interpreter, file] if interpreter else [f"./{file}"]


def checked_name(name: str, source: Path) -> str:
    """``name``, which ``source`` gives to a bot. Raises BotsError when it cannot be one."""
    plain = _NAME.fullmatch(name) and name.isprintable() and name not in (".", "..")
    if not plain or len(name.encode()) > LONGEST_NAME:
        raise BotsError(
            f"{source}: expected a name of 1 to 64 printable characters ({LONGEST_NAME} bytes) "
            f"without white space and slashes, found {name!r}."
        )
    return name


def check_names(bots: Sequence[Bot]) -> None:
    """Raises BotsError when names of ``bots`` are equal, or differ only in case or encoding."""
    named: dict[str, list[str]] = {}
    for bot in bots:
        key = unicodedata.normalize("NFKC", bot.name).casefold()
        named.setdefault(key, []).append(bot.name)
    raise_all(
        f"{_alike(names)}. Give one of them another name, in a bots.toml."
        for names in named.values()
        if len(names) > 1
    )


def _alike(names: Sequence[str]) -> str:
    """A sentence that names bots whose names cannot be told apart."""
    if len({*names}) == 1:
        count = "two" if len(names) == 2 else str(len(names))
        return f"{count} bots are called '{names[0]}'"
    listed = ", ".join(f"'{name}'" for name in names[:-1])
    return f"the bots {listed} and '{names[-1]}' have names that look alike"


def number_names(bots: Sequence[Bot]) -> list[Bot]:
    """``bots`` with ``-2`` … behind a name that comes again, so that a bot can play itself."""
    numbered: list[Bot] = []
    for bot in bots:
        name, count = bot.name, 1
        while name in {other.name for other in numbered}:
            count += 1
            name = f"{bot.name}-{count}"
        numbered.append(replace(bot, name=name))
    return numbered
