"""A bot: a name, a command, and the files that are copied into its scratch folder before a match.

The command runs in that folder. A bot's hash is that of its files.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from shutil import which

from referee.errors import BotsError
from schema import seal

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

    @cached_property
    def hash(self) -> str:
        """The hash of the bot's files."""
        return seal.files_hash({name: file.content for name, file in self.files})

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


def check_names(bots: Sequence[Bot]) -> None:
    """Raises BotsError when two of ``bots`` have the same name."""
    names = [bot.name for bot in bots]
    for name in names:
        if names.count(name) > 1:
            raise BotsError(
                f"two bots are called '{name}'. Give one of them another name, in a bots.toml."
            )


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
