"""Enter, revise and withdraw bots, and find the files that were entered."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from games.contest import ContestError, Entry, entry_of
from games.narration import listed
from referee.bot import Bot, BotFile, check_names, checked_name, implied_command
from referee.contest.folder import ContestFolder
from referee.errors import BotsError
from referee.roster import bot_files
from schema import discovery as layout
from schema import reader
from schema.files import replacing_folder
from schema.reader import Log
from schema.words import suggest

ENTERED, REVISED = "entered", "revised"

PROGRAM_STARTS = (b"#!", b"\x7fELF")
"""The first bytes of programs, which a bot may start itself."""


def planned(contest: ContestFolder, bots: Sequence[Bot]) -> list[tuple[Bot, str]]:
    """Return the bots that are new or revised, each with the type of its event.

    Their commands are those of the stages, which know a program by its name, not by its path. A bot
    that is in with the same files is left out. Nothing is written. Raises BotsError if a bot
    cannot be entered, and UsageError if the contest is closed.
    """
    contest.check_open()
    check_names(bots)
    state = deepcopy(contest.state)
    planned: list[tuple[Bot, str]] = []
    for bot in bots:
        known = state.current.get(bot.name)
        if known is not None and known.bot == bot.hash:
            continue
        for name, _ in bot.files:
            if not name.isprintable():
                raise BotsError(f"{bot.name}: expected files with printable names, found {name!r}.")
        type, entry = ENTERED if known is None else REVISED, _entry(bot)
        try:
            state.apply(entry.event(type))
        except ContestError as error:
            raise BotsError(f"{bot.name}: {error}.") from None
        planned.append((replace(bot, command=_command(entry, bot.files)), type))
    _, most = contest.card.bounds("entrants", contest.settings)
    if planned and (number := len(state.current)) > most:
        title = contest.card.title
        raise BotsError(f"a contest of {title}: expected at most {most} bots, found {number}.")
    return planned


def enter(contest: ContestFolder, planned: Sequence[tuple[Bot, str]]) -> None:
    """Copy the files of all bots into the contest's folder, then record the bots.

    Raises OSError if a copy fails; no bot is recorded then.
    """
    for bot, _ in planned:
        folder = _folder(contest.path, _entry(bot))
        if not folder.exists():  # otherwise this version was copied before
            folder.parent.mkdir(parents=True, exist_ok=True)
            with replacing_folder(folder) as new:
                bot.install(new)
    for bot, type in planned:
        contest.append(_entry(bot).event(type))


def withdraw(contest: ContestFolder, names: Sequence[str]) -> list[str]:
    """Record that bots are withdrawn; return the names of those that were in.

    Raises BotsError for a name that was never entered, before anything is written.
    """
    contest.check_open()
    known = [*contest.state.names.values()]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise BotsError(
            *(f"{name!r}: no such bot was entered.{suggest(name, known)}" for name in unknown)
        )
    withdrawn = [name for name in dict.fromkeys(names) if name in contest.state.current]
    for name in withdrawn:
        contest.append({"type": "withdrawn", "name": name})
    return withdrawn


def stored(contest: Path, entry: Entry) -> Bot:
    """Return a bot from the files that were entered.

    Raises BotsError if they were changed or are missing.
    """
    folder = _folder(contest, entry)
    files = bot_files.read_folder(bot_files.real(folder)) if folder.is_dir() else ()
    command = _command(entry, files)
    own = command[0].removeprefix("./")
    files = tuple(  # a bundle, from which they may come, does not keep that a file is executable
        (name, replace(file, executable=name == own or _is_program(file))) for name, file in files
    )
    bot = Bot(entry.name, command, files, entry.class_name)
    if bot.hash != entry.bot:
        expected = f"{folder}: expected the files of {entry.name} as they were entered"
        if not folder.exists():
            raise BotsError(f"{expected}, found no such folder. Put it back.")
        names = listed(name for name, _ in files) or "no file"
        raise BotsError(
            f"{expected}, with the hash {entry.bot[:16]}…, found {bot.hash[:16]}… of {names}. "
            "Put them back, without any other."
        )
    return bot


def available(log: Log) -> list[Bot | None]:
    """Return the bots of a match in a contest, by seat, from the files that were entered.

    A seat whose bot has no files there has None, as have all seats of a match in no contest, or in
    a bundle. Raises BotsError if files were changed.
    """
    contest, versions = _entered(log)
    if contest is None:
        return [None] * len(log.start["players"])
    return [
        stored(contest, entry) if _folder(contest, entry).exists() else None for entry in versions
    ]


def _entered(log: Log) -> tuple[Path | None, list[Entry]]:
    """Return the folder of a match's contest, if it is in one, and the entries by seat."""
    stage = layout.stage_of(log.path)
    path = stage[0] / layout.CONTEST if stage else None
    if not isinstance(path, Path) or not path.is_file():
        return None, []
    try:
        events = reader.read(path).events
    except reader.IncompleteLog as error:
        events = error.log.events if error.log else ()
    fields: Iterable[Any] = events
    entered = [entry_of(event) for event in fields if event["type"] in (ENTERED, REVISED)]
    versions = {(entry.name, entry.bot): entry for entry in entered}
    players = [(player["name"], player["bot"]) for player in log.start["players"]]
    if unknown := [name for name, bot in players if (name, bot) not in versions]:
        raise BotsError(f"{path}: expected the entry of {unknown[0]} in this match, found none.")
    return path.parent, [versions[player] for player in players]


def as_name(bots: Sequence[Bot], name: str | None) -> list[Bot]:
    """Return the bots, the only one of them under ``name``, if any. Raises BotsError for more."""
    if name is None:
        return list(bots)
    if len(bots) != 1:
        raise BotsError(f"--as {name}: expected one bot, found {len(bots)}.")
    return [replace(bots[0], name=checked_name(name, Path("--as")))]


def _entry(bot: Bot) -> Entry:
    return Entry(bot.name, bot.hash, tuple(bot.hashed_command), bot.class_name)


def _is_program(file: BotFile) -> bool:
    return file.executable or file.content.startswith(PROGRAM_STARTS)


def _command(entry: Entry, files: Sequence[tuple[str, BotFile]]) -> tuple[str, ...]:
    """Return the command of an entry with these files, with the Python of this machine."""
    program, *words = entry.command or (implied_command(files[0][0]) if files else ("",))
    if entry.class_name:  # its file is loaded by its name
        words = [word.removeprefix("./") for word in words]
    return sys.executable if program == "python3" else program, *words


def _folder(contest: Path, entry: Entry) -> Path:
    return contest / layout.BOTS / entry.name / entry.digits
