"""Read lists of bots: ``bots.toml``, and the older ``competitors.txt``.

A list given on the command line may name any file. A list found in a given folder may name only
files in that folder and programs in PATH.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from glob import escape
from pathlib import Path, PurePosixPath
from typing import Any

from referee.bot import INTERPRETERS, Bot, BotFile, as_argument, checked_name
from referee.errors import BotsError, call_all
from referee.roster import bot_files, class_bots
from schema.card import Card
from schema.words import suggest

MAX_LIST_BYTES = 1 << 20
"""Maximum bytes of a list."""

MAX_TOTAL_BYTES = 256 << 20
"""Maximum bytes of all bots in a list together."""

MAX_WORDS = 1_000
"""Maximum words of a command, each of which may name a file."""

KEYS = ["name", "python", "command", "folder", "class"]
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}")


def from_toml(path: Path, card: Card, within: Path | None = None) -> list[Bot]:
    """Return the bots of a ``bots.toml``. ``within`` is the given folder that contains it."""
    try:
        data = tomllib.loads(_text(path, within))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BotsError(f"{path}: expected TOML, found an error: {error}.") from None
    entries = data.get("bots", data.get("bot"))
    if not isinstance(entries, list) or not entries:
        raise BotsError(f"{path}: expected one or more [[bots]] tables, found none.")
    makers = [
        partial(_from_entry, entry, number, path, card, within)
        for number, entry in enumerate(entries, 1)
    ]
    return call_all(_limited(path, makers))


def from_competitors(path: Path, card: Card) -> list[Bot]:
    """Return the bots of a ``competitors.txt``."""
    try:
        lines = _text(path, None).splitlines()
    except UnicodeDecodeError as error:
        raise BotsError(f"{path}: expected text, found an error: {error}.") from None
    makers = [
        partial(_from_line, line, f"{path}:{number}", path, card)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.strip().startswith("#")
    ]
    if not makers:
        raise BotsError(f"{path}: expected lines of NAME and a command, found none.")
    return call_all(_limited(path, makers))


def _text(path: Path, within: Path | None) -> str:
    """Return the text of a list, without the byte order mark of an editor on Windows."""
    return bot_files.read(path, within, MAX_LIST_BYTES).content.decode("utf-8-sig")


def _limited(path: Path, makers: Iterable[Callable[[], Bot]]) -> Iterator[Callable[[], Bot]]:
    """Yield ``makers``. Raises BotsError if their bots exceed MAX_TOTAL_BYTES bytes."""
    size = 0

    def measured(make: Callable[[], Bot]) -> Bot:
        nonlocal size
        bot = make()
        size += sum(len(file.content) for _, file in bot.files)
        return bot

    for make in makers:
        if size > MAX_TOTAL_BYTES:
            most = MAX_TOTAL_BYTES >> 20
            raise BotsError(f"{path}: expected bots of at most {most} MiB together, found more.")
        yield partial(measured, make)


def _from_line(line: str, where: str, path: Path, card: Card) -> Bot:
    name, *rest = line.split(maxsplit=1)
    if not rest:
        raise BotsError(f"{where}: expected NAME and a command, found only '{name}'.")
    words = _words(rest[0], where)
    bot = _from_command(checked_name(name, path), words, path.parent, where, None)
    return _one_class(bot, "", where) if card.protocol == "class" else bot


def _from_entry(entry: Any, number: int, path: Path, card: Card, within: Path | None) -> Bot:
    where = f"{path}: [[bots]] number {number}"
    bot = _bot_of_entry(entry, path, where, within)
    class_name = entry.get("class", "")
    if card.protocol != "class" and class_name:
        raise BotsError(f"{where}: bots of {card.title} are no classes; leave out 'class'.")
    return _one_class(bot, class_name, where) if card.protocol == "class" else bot


def _one_class(bot: Bot, class_name: str, where: str) -> Bot:
    """Return the bot as a Python class: the one with this name, or the only one in its file."""
    if class_name:
        return class_bots.named(bot, class_name, where)
    bots = class_bots.bots_in(bot, where)
    if len(bots) > 1:
        names = ", ".join(bot.name for bot in bots)
        raise BotsError(f"{where}: expected 'class' to name one of {names}, found no 'class'.")
    return bots[0]


def _bot_of_entry(entry: Any, path: Path, where: str, within: Path | None) -> Bot:
    """Return the bot of an entry in a bots.toml, before any class in it is chosen."""
    _check_keys(entry, where)
    if "python" in entry:
        command = [sys.executable, as_argument(entry["python"])]
    else:
        command = _words(entry["command"], where)
        if within is not None:
            _check_program(command[0], where)
    name = checked_name(entry["name"], path)
    if "folder" not in entry:
        return _from_command(name, command, path.parent, where, within)
    named = path.parent / entry["folder"]
    if bot_files.kind(named) != "a folder":
        raise BotsError(f"{where}: there is no folder '{named}'.")
    folder = bot_files.real(named) if within is None else bot_files.inside(named, within)
    files = bot_files.read_folder(folder)
    if "python" in entry and os.path.normpath(entry["python"]) not in dict(files):
        raise BotsError(f"{where}: there is no file '{named / entry['python']}'.")
    return Bot(name, tuple(command), files)


def _check_keys(entry: Any, where: str) -> None:
    """Raise BotsError if an entry of a bots.toml has wrong keys or values."""
    if not isinstance(entry, dict):
        raise BotsError(f"{where}: expected a table, found {entry!r}.")
    for key, value in entry.items():
        if key not in KEYS:
            raise BotsError(f"{where}: unknown key '{key}'.{suggest(key, KEYS)}")
        words = isinstance(value, list) and all(isinstance(word, str) for word in value)
        if not (isinstance(value, str) or (key == "command" and words)) or not value:
            raise BotsError(f"{where}: expected text as '{key}', found {value!r}.")
        if "\0" in "".join(value):
            raise BotsError(f"{where}: expected text without NUL as '{key}', found {value!r}.")
    if "name" not in entry or ("python" in entry) == ("command" in entry):
        raise BotsError(f"{where}: expected 'name' and either 'python' or 'command'.")


def _check_program(program: str, where: str) -> None:
    """Raise BotsError for an absolute path of a program outside the folders of PATH."""
    path = Path(program)
    folders = f"{os.environ.get('PATH', '')}{os.pathsep}{os.defpath}".split(os.pathsep)
    if path.is_absolute() and str(path.parent) not in folders:
        raise BotsError(
            f"{where}: leads out of its folder: expected a program of PATH or of the folder, found "
            f"'{program}'."
        )


def _words(command: str | list[str], where: str) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise BotsError(f"{where}: expected a command, found {command!r}: {error}.") from None
    if not words or not words[0]:
        raise BotsError(f"{where}: expected words in 'command', found {command!r}.")
    if len(words) > MAX_WORDS:
        raise BotsError(
            f"{where}: expected at most {MAX_WORDS:,} words in 'command', found {len(words):,}."
        )
    return words


def _from_command(
    name: str, command: Sequence[str], base: Path, where: str, within: Path | None
) -> Bot:
    """Return a bot whose files are those that its command names in the folder ``base``.

    ``node bots/fox.js`` has the file ``bots/fox.js``; ``/opt/bots/fox`` and ``../fox`` become
    ``fox``. A program with an absolute path, such as ``/usr/bin/node``, is not copied.
    """
    words: list[str] = []
    files: dict[str, BotFile] = {}
    doubts: list[str] = []
    for position, word in enumerate(command):
        path, absolute = base / word, Path(word).is_absolute()
        kind = bot_files.kind(path)
        outside = absolute and (position == 0 or kind != "file")
        if outside or kind in ("", "a folder"):
            words.append(word)
            doubts += _doubts(word, base) if position and not absolute and not kind else ()
            continue
        key = os.path.normpath(path.name if absolute or ".." in Path(word).parts else word)
        file = bot_files.read(path, within)
        if files.setdefault(key, file) != file:
            raise BotsError(
                f"{where}: expected files of different names, found two called '{key}'."
            )
        argument = key if key == word else as_argument(key)  # the word itself may be an option
        words.append(f"./{key}" if position == 0 else argument)
    for up in (str(up) for key in files for up in PurePosixPath(key).parents):
        if up in files:
            raise BotsError(f"{where}: expected no file called as a folder, found both as '{up}'.")
    if Path(command[-1]).suffix in INTERPRETERS and not files:
        raise BotsError(f"{where}: there is no file '{base / command[-1]}'.")
    return Bot(name, tuple(words), tuple(sorted(files.items())), doubts=tuple(doubts))


def _doubts(word: str, base: Path) -> list[str]:
    """Return sentences about a word that may name a missing file, or a class in another file."""
    if word.startswith("-") or not word.isprintable():
        return []
    beside = sorted(path.name for path in base.glob(f"{escape(word)}.*")) if "/" not in word else []
    if beside:
        return [
            f"its command names '{word}', but {beside[0]} does not travel: only files that the "
            "command names do. Put the bot into a folder of its own, and name that with 'folder'."
        ]
    if _SUFFIX.fullmatch(Path(word).suffix):
        return [f"its command names '{word}', and there is no such file in {base}."]
    return []
