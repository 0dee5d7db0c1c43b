"""Goes on with an interrupted tournament, from what it has left in its folder.

1. Its own log says what is played, by whom, and to which seed it is bound. It may be without its
   seal, and torn in its last line; so may the matches. Nothing else may be wrong with them.
2. The seed is in a file of its own, and is the one committed to.
3. The evidence says how the bots were named. They are found by that, or by other words that are
   given, and their hashes are still the same.
4. Then the rules of the tournament run from its start. Matches that are sealed stay as they are,
   others are played on, and what is recorded has to come out again.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from referee.bot import Bot
from referee.errors import BotsError, raise_all
from referee.roster import bot_files
from referee.roster.resolve import is_example, resolve
from referee.tournament import SEED_FILE, Tournament, identity
from schema import discovery as layout
from schema import reader, seal
from schema.errors import CorruptLog, KothError, NothingToDo, UsageError
from schema.executor import Mapper
from schema.files import refuse_links
from schema.reader import IncompleteLog, Log
from schema.scan import SEALS
from schema.words import counted
from schema.writer import LogWriter


class Complete(KothError):
    """There is nothing left to be played."""

    exit_code = 0


LEVELS = ("none", "process", "sandbox")
"""Levels of isolation, the strongest last."""


class Conditions(BaseModel):
    """What the evidence says of how a tournament is played."""

    isolation: Literal["none", "process", "sandbox"] = "process"
    cold: bool = False
    bots: list[str] = []
    seed_file: str = ""
    binds: list[str] = []


def plan(
    folder: Path,
    words: Sequence[str] = (),
    durable: bool = False,
    believed: bool = True,
    binds: Sequence[str] = (),
) -> Tournament:
    """The rest of the tournament in ``folder``, with bots named by ``words``, if there are any.

    Else they are found by the words on record, if those are ``believed`` or name examples only.
    ``binds`` are what their sandboxes show besides. What the evidence says of that is not taken: a
    folder shows bots nothing of the machine that is not named again.

    Raises Complete when it has its end, InUse when it is being played, NothingToDo when it has not
    even its first line, a LogError when its log is damaged or its seed another, and UsageError when
    bots or seed are not to be had. Nothing is changed then.
    """
    log = _begun(folder)
    card = log.card
    if log.imported or log.kind != "tournament":
        raise UsageError(f"{log.path}: expected a tournament that was played, found another log.")
    if log.start["rules"] != card.rules:
        raise UsageError(
            f"{log.path}: expected the rules {card.rules}, found {log.start['rules']}. "
            "Go on with the koth that began it."
        )
    kept = _conditions(layout.evidence(folder / layout.TOURNAMENT))
    if not (words or kept.bots):
        raise UsageError(f"{folder}: how its bots are named is not on record. Name them.")
    if not (words or believed or all(map(is_example, kept.bots))):
        raise UsageError(
            f"{folder}: was not begun here, and names programs of this machine as bots. If they "
            f"are the right ones, name them: koth resume {shlex.join([str(folder), *kept.bots])}"
        )
    words = words or kept.bots
    if missing := [path for path in kept.binds if path not in binds]:
        raise UsageError(
            f"{folder}: it was begun with {' '.join(f'--bind {path}' for path in missing)}, which "
            "is not taken from the folder. Name it again."
        )
    resolved = [replace(bot, binds=tuple(binds)) for bot in resolve(words, card)]
    bots = _entered(folder, log.start["entrants"], resolved)
    return Tournament(
        card=card,
        bots=bots,
        settings=log.settings(),
        seed=_seed(folder / SEED_FILE, log.start["seed_commitment"]),
        name=log.start["tournament"],
        folder=folder,
        isolation=kept.isolation,
        cold=kept.cold,
        durable=durable,
        words=words,
        again=True,
    )


def was_begun_here(folder: Path) -> bool:
    """Whether the evidence was written by this user, about this folder, where it is now.

    A folder that was sent may name any program of this machine as a bot. Its seed file has another
    time of its last change than the sender could have put on record.
    """
    kept = _conditions(layout.evidence(folder / layout.TOURNAMENT))
    try:
        owned = (folder / SEED_FILE).stat().st_uid == os.geteuid()
    except OSError:
        return False
    return owned and kept.seed_file == identity(folder / SEED_FILE)


def partial_lines(tournament: Tournament, each: Mapper) -> Iterator[str]:
    """A sentence for each last line that is torn. Raises the LogError of a log that is damaged."""
    folder = tournament.folder
    matches = sorted((folder / layout.MATCHES).glob("*.jsonl"))
    for told in each(_torn, [folder / layout.TOURNAMENT, *matches]):
        if told:
            yield told


def _begun(folder: Path) -> Log:
    """The tournament's own log, which must not have its seal."""
    path = folder / layout.TOURNAMENT
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder.")
    if not path.is_file():
        raise _nothing(folder)
    for name in (layout.MATCHES, layout.EVIDENCE):
        refuse_links(folder / name, folder)
    with LogWriter(path, again=True) as writer:  # unless somebody is writing it
        log = writer.log
    if log is None:
        raise _nothing(folder)
    if log.events[-1]["type"] in SEALS:
        (folder / SEED_FILE).unlink(missing_ok=True)
        raise Complete(f"{folder}: already complete.")
    return log


def _nothing(folder: Path) -> NothingToDo:
    return NothingToDo(f"{folder}: nothing was begun in there. Remove it, and begin again.")


def _entered(folder: Path, entrants: Sequence[Mapping[str, Any]], bots: list[Bot]) -> list[Bot]:
    """``bots``, if they are the entrants on record, with the hashes on record.

    Raises BotsError that names all that differ.
    """
    if len(bots) != len(entrants):
        raise BotsError(f"{folder}: expected {counted(len(entrants), 'bot')}, found {len(bots)}.")
    pairs = [*zip(entrants, bots, strict=True)]
    raise_all(
        f"{folder}: expected the bot {entrant['name']} with the hash {entrant['bot'][:16]}…, found "
        f"{bot.name} with {bot.hash[:16]}…. Name the bots as they were, in their order."
        for entrant, bot in pairs
        if bot.name != entrant["name"] or not bot.is_recorded_as(entrant["bot"])
    )
    return [replace(bot, files_only=bot.hash != entrant["bot"]) for entrant, bot in pairs]


def _seed(path: Path, commitment: str) -> str:
    """The tournament's seed."""
    try:
        seed = _content(path).decode().strip()
    except (BotsError, UnicodeDecodeError):
        raise UsageError(
            f"{path}: expected the seed in there; without it nobody goes on."
        ) from None
    if seal.commitment(seed) != commitment:
        raise CorruptLog(
            path, 1, "expected the seed that the tournament is bound to, found another"
        )
    return seed


def _conditions(path: Path) -> Conditions:
    """How the tournament was played last, as far as that is on record; never weaker than before."""
    runs: list[Conditions] = []
    with suppress(BotsError):
        for line in _content(path).splitlines():
            with suppress(ValidationError):
                runs.append(Conditions.model_validate_json(line))
    if not runs:
        return Conditions()
    strongest = max((run.isolation for run in runs), key=LEVELS.index)
    return runs[-1].model_copy(update={"isolation": strongest})


def _content(path: Path) -> bytes:
    """A file beside the logs: no link out of its folder, no pipe. Raises BotsError."""
    return bot_files.read(path, bot_files.real(path.parent)).content


def _torn(path: Path) -> str:
    try:
        reader.read(path)
    except IncompleteLog as error:
        data = path.read_bytes()
        if size := len(data) - data.rfind(b"\n") - 1:
            return f"{error.where}: the line is torn after {size} bytes; it is cut away."
    return ""
