"""Who plays: bots out of files, folders, ``bots.toml``, ``competitors.txt`` and the examples."""

from __future__ import annotations

import os
import re
import shlex
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee import classes
from referee.bots import Bot, BotFile
from referee.errors import BotsError
from schema.registry import Card, suggest

EXAMPLES = "examples"
INTERPRETERS = {".py": (sys.executable,), ".sh": ("sh",)}
_NAME = re.compile(r"[^\s/\\]{1,64}")

MOST_FILES, MOST_BYTES = 500, 16 << 20
"""What one bot may bring along: it is copied for each match or decision."""


def resolve(given: Iterable[str], card: Card) -> list[Bot]:
    """The bots that a command was given, in order.

    Each word is a file, a folder of bots, a ``bots.toml``, a ``competitors.txt``, ``examples`` or
    ``examples/NAME``. Raises BotsError when one leads nowhere.
    """
    bots: list[Bot] = []
    for word in given:
        if _is_example(word):
            bots += _examples(word, card)
        else:
            bots += _at(Path(word), card)
    for bot in bots:
        size = sum(len(file.content) for _, file in bot.files)
        if len(bot.files) > MOST_FILES or size > MOST_BYTES:
            raise BotsError(
                f"{bot.name}: expected at most {MOST_FILES} files and {MOST_BYTES >> 20} MiB, "
                f"found {len(bot.files)} files and {size / (1 << 20):.1f} MiB."
            )
    return bots


def absolute(given: Iterable[str]) -> list[str]:
    """The same words as they have to be from any other folder."""
    return [word if _is_example(word) else str(Path(word).absolute()) for word in given]


def examples(card: Card) -> list[Path]:
    """The files of a game's example bots, sorted by name."""
    return _bot_files(card.bots)


def character(path: Path) -> str:
    """What an example bot says of itself: the first line of its docstring or comment."""
    for line in path.read_text().splitlines():
        text = line.strip("#\" '").strip()
        if text and not line.startswith("#!"):
            return text
    return ""


def _is_example(word: str) -> bool:
    return word == EXAMPLES or word.startswith(EXAMPLES + "/")


def _examples(word: str, card: Card) -> list[Bot]:
    found = examples(card)
    if word != EXAMPLES:
        wanted = word.removeprefix(EXAMPLES + "/")
        known = [path.stem for path in found]
        found = [path for path in found if wanted in (path.stem, path.name)]
        if not found:
            raise BotsError(f"{card.name} has no example bot '{wanted}'.{suggest(wanted, known)}")
    return [bot for path in found for bot in _from_file(path, card)]


def _at(path: Path, card: Card) -> list[Bot]:
    if path.is_dir():
        if (path / "bots.toml").is_file():
            return _from_toml(path / "bots.toml", card)
        found = _bot_files(path)
        if not found:
            raise BotsError(
                f"{path}: expected bots (*.py, *.sh, executable files) or a bots.toml, found none."
            )
        return [bot for file in found for bot in _from_file(file, card)]
    if not path.is_file():
        known = [example.stem for example in examples(card)]
        hint = f" Did you mean '{EXAMPLES}/{path}'?" if str(path) in known else ""
        raise BotsError(
            f"{path}: there is no such bot: no file, no folder, and not '{EXAMPLES}'.{hint}"
        )
    if path.suffix == ".toml":
        return _from_toml(path, card)
    if path.suffix == ".txt":
        return _from_competitors(path, card)
    return _from_file(path, card)


def _bot_files(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and path.name[0] not in "._" and _command(path) is not None
    )


def _command(path: Path) -> tuple[str, ...] | None:
    """The command that runs the bot in ``path``, from inside its folder."""
    if path.suffix in INTERPRETERS:
        return (*INTERPRETERS[path.suffix], path.name)
    return (f"./{path.name}",) if os.access(path, os.X_OK) else None


def _from_file(path: Path, card: Card) -> list[Bot]:
    command = _command(path)
    if command is None:
        raise BotsError(
            f"{path}: expected a .py, a .sh, or a file that may be executed (chmod +x), "
            "found none of them. A bots.toml can give any command."
        )
    bot = Bot(_name(path.stem, path), command, ((path.name, _file(path)),))
    if card.protocol != "class":
        return [bot]
    found = classes.bots_in(bot, str(path))
    return [replace(one, name=_name(one.name, path)) for one in found]


def _from_toml(path: Path, card: Card) -> list[Bot]:
    try:
        data = tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BotsError(f"{path}: expected TOML, found an error: {error}.") from None
    entries = data.get("bots", data.get("bot"))
    if not isinstance(entries, list) or not entries:
        raise BotsError(f"{path}: expected one or more [[bots]] tables, found none.")
    return [_from_entry(entry, number, path, card) for number, entry in enumerate(entries, 1)]


def _from_entry(entry: Any, number: int, path: Path, card: Card) -> Bot:
    where = f"{path}: [[bots]] number {number}"
    bot = _commanded(entry, path, where)
    class_name = entry.get("class", "")
    if card.protocol != "class" and class_name:
        raise BotsError(f"{where}: bots of {card.title} are no classes; leave out 'class'.")
    return _one_class(bot, class_name, where) if card.protocol == "class" else bot


def _one_class(bot: Bot, class_name: str, where: str) -> Bot:
    """The bot as a Python class: the one of this name, or the only one in its file."""
    if class_name:
        return classes.named(bot, class_name, where)
    found = classes.bots_in(bot, where)
    if len(found) > 1:
        names = ", ".join(one.name for one in found)
        raise BotsError(f"{where}: expected 'class' to name one of {names}, found no 'class'.")
    return found[0]


def _commanded(entry: Any, path: Path, where: str) -> Bot:
    """A bot out of a bots.toml, as the command that runs it."""
    if not isinstance(entry, dict):
        raise BotsError(f"{where}: expected a table, found {entry!r}.")
    keys = ["name", "python", "command", "folder", "class"]
    for key, value in entry.items():
        if key not in keys:
            raise BotsError(f"{where}: unknown key '{key}'.{suggest(key, keys)}")
        words = isinstance(value, list) and all(isinstance(word, str) for word in value)
        if not (isinstance(value, str) or (key == "command" and words)) or not value:
            raise BotsError(f"{where}: expected text as '{key}', found {value!r}.")
    if "name" not in entry or ("python" in entry) == ("command" in entry):
        raise BotsError(f"{where}: expected 'name' and either 'python' or 'command'.")
    if "python" in entry:
        command = [sys.executable, entry["python"]]
    else:
        command = _words(entry["command"], where)
    name = _name(entry["name"], path)
    if "folder" not in entry:
        return _from_command(name, command, path.parent, where)
    folder = path.parent / entry["folder"]
    if not folder.is_dir():
        raise BotsError(f"{where}: there is no folder '{folder}'.")
    files = {str(file.relative_to(folder)): file for file in folder.rglob("*") if file.is_file()}
    if "python" in entry and entry["python"] not in files:
        raise BotsError(f"{where}: there is no file '{folder / entry['python']}'.")
    return Bot(name, tuple(command), tuple((key, _file(files[key])) for key in sorted(files)))


def _from_competitors(path: Path, card: Card) -> list[Bot]:
    bots = []
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BotsError(f"{path}: expected text, found an error: {error}.") from None
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        name, _, command = line.strip().partition(" ")
        if not name or name.startswith("#"):
            continue
        if not command.strip():
            raise BotsError(f"{where}: expected NAME and a command, found only '{name}'.")
        bot = _from_command(_name(name, path), _words(command, where), path.parent, where)
        bots.append(_one_class(bot, "", where) if card.protocol == "class" else bot)
    if not bots:
        raise BotsError(f"{path}: expected lines of NAME and a command, found none.")
    return bots


def _words(command: str | list[str], where: str) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise BotsError(f"{where}: expected a command, found {command!r}: {error}.") from None
    if not words:
        raise BotsError(f"{where}: expected words in 'command', found {command!r}.")
    return words


def _from_command(name: str, command: list[str], base: Path, where: str) -> Bot:
    """A bot whose files are those that its command names, from the folder ``base``.

    ``node bots/fox.js`` takes ``bots/fox.js`` along; ``/opt/bots/fox`` and ``../fox`` become
    ``fox``; a program named by an absolute path, such as ``/usr/bin/node``, is left where it is.
    """
    words, files = [], {}
    for place, word in enumerate(command):
        path = base / word
        if not path.is_file() or (place == 0 and Path(word).is_absolute()):
            words.append(word)
            continue
        inside = path.name if Path(word).is_absolute() or ".." in path.parts else word
        key = os.path.normpath(inside)
        files[key] = _file(path)
        words.append(f"./{key}" if place == 0 else key)
    if Path(command[-1]).suffix in INTERPRETERS and not files:
        raise BotsError(f"{where}: there is no file '{base / command[-1]}'.")
    return Bot(name, tuple(words), tuple(sorted(files.items())))


def _file(path: Path) -> BotFile:
    try:
        return BotFile(path.read_bytes(), os.access(path, os.X_OK))
    except OSError as error:
        raise BotsError(f"{path}: cannot be read: {error.strerror}.") from None


def _name(name: str, source: Path) -> str:
    if not _NAME.fullmatch(name) or not name.isprintable() or name in (".", ".."):
        raise BotsError(
            f"{source}: expected a name of 1 to 64 printable characters without white space and "
            f"slashes, found {name!r}."
        )
    return name
