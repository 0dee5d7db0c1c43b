"""Resolve the arguments of a command to bots: files, folders, lists and examples.

A bot has the name of its file. If the file is called ``main``, it has the name of its folder. A
list gives its own names, and several classes in one file have their class names.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import partial
from itertools import chain
from pathlib import Path

from referee.bot import Bot, BotFile, as_argument, checked_name, implied_command, interpreter_line
from referee.errors import BotsError, call_all
from referee.roster import bot_files, bot_lists, class_bots
from schema.card import Card
from schema.words import similar_name, suggest

EXAMPLES = "examples"
LIST = "bots.toml"
MAIN = "main"
"""The stem of a file whose whole folder is the bot."""


def resolve(words: Iterable[str], card: Card, renamed: bool = False) -> list[Bot]:
    """Return the bots of a command's arguments, in order.

    Each word is a file, a folder of bots, a bot's folder, a ``bots.toml``, a ``competitors.txt``,
    ``examples`` or ``examples/NAME``. With ``renamed``, names of files are not checked, because
    the caller gives others. Raises BotsError with all problems.
    """
    resolved = (partial(_resolve_word, word, card, renamed) for word in words)
    return [*chain.from_iterable(call_all(resolved))]


def absolute(words: Iterable[str]) -> list[str]:
    """Return the same arguments with absolute paths."""
    return [word if is_example(word) else str(Path(word).absolute()) for word in words]


def examples(card: Card) -> list[Path]:
    """Return the files of a game's example bots, sorted by name."""
    return sorted(path for path in card.bots.iterdir() if path.is_file() and _is_program(path))


def character(path: Path) -> str:
    """Return the first line of an example bot's docstring or comment; of neither, ""."""
    try:
        lines = bot_files.read(path).content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:  # a compiled program
        return ""
    begun = False  # a docstring whose first line is empty
    for line in lines:
        if line.startswith("#!"):
            continue
        text = line.strip("#/*\" '").strip()
        begun = begun or text != line.strip()
        if text:
            return text if begun else ""  # code, without a word before it
    return ""


def is_example(word: str) -> bool:
    """Return whether a word names example bots."""
    return word == EXAMPLES or word.startswith(EXAMPLES + "/")


def _resolve_word(word: str, card: Card, renamed: bool) -> list[Bot]:
    if not word:  # as a path it would be the current folder
        raise BotsError("expected a bot, found an empty text.")
    bots = _examples(word, card) if is_example(word) else _at(Path(word), card, renamed)
    for bot in bots:
        size = sum(len(file.content) for _, file in bot.files)
        bot_files.check_size(bot.name, len(bot.files), size)
    return bots


def _examples(word: str, card: Card) -> list[Bot]:
    paths = examples(card)
    name = word.removeprefix(EXAMPLES).strip("/")  # a shell may complete `examples/`
    if name:
        known = [path.stem for path in paths]
        paths = [path for path in paths if name in (path.stem, path.name)]
        if not paths:
            raise BotsError(f"{card.name} has no example bot '{name}'.{suggest(name, known)}")
    return [bot for path in paths for bot in _from_file(path, card)]


def _at(path: Path, card: Card, renamed: bool) -> list[Bot]:
    if bot_files.kind(path) == "a folder":
        return _from_folder(path, card, renamed=renamed)
    if not bot_files.exists(path):
        raise BotsError(
            f"{path}: there is no such bot: no file, no folder, and not '{EXAMPLES}'."
            f"{_suggested(path, card)}"
        )
    if path.suffix == ".toml":
        return bot_lists.from_toml(path, card)
    if path.suffix == ".txt":
        return bot_lists.from_competitors(path, card)
    return _from_file(path, card, renamed=renamed)


def _suggested(path: Path, card: Card) -> str:
    """Return a suggestion for a path that does not exist."""
    if str(path) in [example.stem for example in examples(card)]:
        return f" Did you mean '{EXAMPLES}/{path}'?"
    return similar_name(path)


def _from_folder(
    path: Path, card: Card, within: Path | None = None, renamed: bool = False
) -> list[Bot]:
    """Return the bots in a folder. Raises BotsError if a link leads out of it.

    ``within`` is the given folder that contains it, if any.
    """
    folder = bot_files.real(path) if within is None else bot_files.inside(path, within)
    if bot_files.exists(folder / LIST):
        return bot_lists.from_toml(folder / LIST, card, folder)
    kinds = _kinds(folder)
    programs = [path for path, kind in kinds.items() if kind == "file" and _is_program(path)]
    mains = [program for program in programs if program.stem == MAIN]
    if len(mains) > 1:
        names = " and ".join(program.name for program in mains)
        raise BotsError(f"{path}: expected one program called '{MAIN}', found {names}.")
    if mains:
        return _playing(mains[0], bot_files.read_folder(folder), card, renamed)
    folders = [path for path, kind in kinds.items() if kind == "a folder" and _has_bots(path)]
    if not programs and not folders:
        raise BotsError(
            f"{path}: expected bots (*.py, *.sh, executable files) or a bots.toml, found none."
        )
    makers = (
        partial(_from_folder if path in folders else _from_file, path, card, folder, renamed)
        for path in sorted([*programs, *folders])
    )
    return [*chain.from_iterable(call_all(makers))]


def _has_bots(folder: Path) -> bool:
    """Return whether a folder in a folder of bots is a bot with several files, or has a list."""
    return bot_files.exists(folder / LIST) or any(
        path.stem == MAIN and bot_files.kind(path) == "file" and _is_program(path)
        for path in bot_files.entries(folder)
    )


def _kinds(folder: Path) -> dict[Path, str]:
    """Return what is in a folder, sorted. Raises BotsError for links out of it, and for pipes."""
    kinds: dict[Path, str] = {}
    for path in sorted(bot_files.entries(folder)):
        if path.name[0] in "._":
            continue
        bot_files.inside(path, folder)
        kinds[path] = bot_files.kind(path) or "a link that leads nowhere"
        if kinds[path] not in ("file", "a folder"):
            raise BotsError(f"{path}: expected files in a folder of bots, found {kinds[path]}.")
    return kinds


def _is_program(path: Path) -> bool:
    """Return whether a file is a program: Python, shell, or executable.

    A script that lost its permission to be executed counts too, so that it is not left out
    without a word.
    """
    if path.name[0] in "._":
        return False
    can_play = len(implied_command(path.name)) > 1 or _is_executable(path)
    return can_play or bot_files.names_interpreter(path)


def _is_executable(path: Path) -> bool:
    """Return whether a file may be run as a program; on Windows its name decides."""
    return os.access(path, os.X_OK) and bool(path.stat().st_mode & 0o111)


def _from_file(
    path: Path, card: Card, within: Path | None = None, renamed: bool = False
) -> list[Bot]:
    """Return the bots in a file; ``within`` is the given folder that contains it, if any."""
    file = bot_files.read(path, within)
    return _playing(path, ((path.name, file),), card, renamed)


def _playing(
    path: Path, files: tuple[tuple[str, BotFile], ...], card: Card, renamed: bool
) -> list[Bot]:
    """Return the bots in the program at ``path``, with ``files`` in their folder."""
    interpreter, *words = _command(path.name, dict(files)[path.name].content)
    if not words and not dict(files)[path.name].executable:
        raise BotsError(
            f"{path}: expected a .py, a .sh, or a file that may be executed (chmod +x), "
            "found none of them. A bots.toml can give any command."
        )
    program = sys.executable if interpreter == "python3" else interpreter
    name = (bot_files.real(path.parent).name or MAIN) if path.stem == MAIN else path.stem
    bot = Bot(name, (program, *words), files)
    bots = class_bots.bots_in(bot, str(path)) if card.protocol == "class" else [bot]
    if not renamed:
        for named in (bot, *bots):
            checked_name(named.name, path)
    return bots


def _command(file: str, content: bytes) -> list[str]:
    """Return the command of a file; a ``.sh`` may name another program of PATH than ``sh``."""
    command = implied_command(file)
    program, *words = interpreter_line(content) or command
    name = Path(program).name  # a path could show the bot more files in its sandbox
    other = command[0] == "sh" and name not in ("sh", "")
    return [name, *words, as_argument(file)] if other else command
