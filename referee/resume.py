"""Resume an interrupted tournament from the files in its folder.

1. The tournament's log names game, entrants and seed commitment. This log and the match logs may
   lack a seal and may end in a partial line. They must be valid otherwise.
2. A file holds the seed, which must match the commitment.
3. The evidence holds the words that named the bots. These words, or others from the caller, must
   lead to bots with the recorded hashes.
4. The rules of the tournament run again from the start. Sealed matches stay unchanged, the others
   are played to their end, and the recorded events must come out again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ValidationError

from referee.bot import Bot
from referee.errors import BotsError, raise_all
from referee.roster import bot_files
from referee.roster.resolve import is_example, resolve
from referee.tournament import SEED_FILE, Tournament, identity, remove_staging
from schema import discovery as layout
from schema import reader, registry, seal
from schema.errors import CorruptLog, KothError, LogError, NothingToDo, UsageError
from schema.executor import Mapper
from schema.files import exists, refuse_links
from schema.log_path import LogPath, path_text, shell_word
from schema.reader import IncompleteLog, Log
from schema.words import counted, similar_name
from schema.writer import LogWriter


class Complete(KothError):
    """Raised when a tournament is already complete."""

    exit_code = 0


Level = Literal["none", "process", "sandbox"]
"""Levels of isolation, the strongest one last."""


class Conditions(BaseModel):
    """The conditions of play that the evidence of a tournament holds."""

    isolation: Level = "process"
    cold: bool = False
    bots: list[str] = []
    seed_file: str = ""
    binds: list[str] = []

    def check_binds(self, folder: Path, binds: Sequence[str]) -> None:
        """Raise UsageError unless ``binds`` has all paths that bots in ``folder`` could read."""
        if missing := [path for path in self.binds if path not in map(path_text, binds)]:
            raise UsageError(
                f"{folder}: it was begun with {' '.join(f'--bind {path}' for path in missing)}, "
                "which is not taken from the folder. Name it again."
            )


def plan(
    folder: Path,
    words: Sequence[str] = (),
    durable: bool = False,
    believed: bool = True,
    binds: Sequence[str] = (),
) -> Tournament:
    """Return the rest of the tournament in ``folder``, with the bots that ``words`` name.

    Without ``words`` the recorded ones count if they are ``believed`` or name examples only.
    ``binds`` are the paths that the bots' sandboxes show. The recorded paths do not count, so that
    a folder shows bots no file of this machine unless the caller names it again.

    Raises Complete if the tournament has its seal, InUse while another process plays it,
    NothingToDo without a first line, a LogError if its log is damaged or the seed is another one,
    and UsageError if bots or seed are missing. No file changes then.
    """
    stages = layout.absolute(folder).parent
    contest = stages.parent
    if stages.name == layout.STAGES and (contest / layout.CONTEST).is_file():
        if is_sealed(contest / layout.CONTEST):  # it was closed, after its stages
            raise _complete(folder)
        raise UsageError(
            f"{folder}: is a stage of a contest. `koth contest run {shell_word(contest)}` "
            "goes on with it."
        )
    log = _unfinished_log(folder)
    if log.imported or log.kind != "tournament":
        raise UsageError(f"{log.path}: expected a tournament that was played, found another log.")
    card = registry.card_under(log.card.name, log.version.name)
    kept = conditions_so_far(folder)
    if not (words or kept.bots):
        raise UsageError(f"{folder}: how its bots are named is not on record. Name them.")
    if not (words or believed or all(map(is_example, kept.bots))):
        raise UsageError(
            f"{folder}: was not begun here, and names programs of this machine as bots. If they "
            "are the right ones, name them: koth resume "
            f"{' '.join(map(shell_word, [str(folder), *kept.bots]))}"
        )
    words = words or kept.bots
    kept.check_binds(folder, binds)
    resolved = [replace(bot, binds=tuple(binds)) for bot in resolve(words, card)]
    bots = _entered(folder, log.start["entrants"], resolved)
    seed = _seed(folder / SEED_FILE, log.start["seed_commitment"])
    remove_staging(folder)
    return Tournament(
        card=card,
        bots=bots,
        settings=log.settings(),
        seed=seed,
        name=log.start["tournament"],
        folder=folder,
        isolation=kept.isolation,
        cold=kept.cold,
        durable=durable,
        words=words,
        again=True,
        pairings=log.start.get("pairings"),
    )


def was_begun_here(folder: Path) -> bool:
    """Return whether this user wrote the evidence, in this folder and on this machine.

    A folder from elsewhere may name any program of this machine as a bot. Its sender cannot know
    the time of the last status change that its seed file has here.
    """
    kept = conditions_so_far(folder)
    try:
        owner = (folder / SEED_FILE).stat().st_uid
    except OSError:
        return False
    owned = sys.platform == "win32" or owner == os.geteuid()
    return owned and kept.seed_file == identity(folder / SEED_FILE)


def conditions_so_far(folder: Path) -> Conditions:
    """Return the last conditions of a tournament on record, with the strongest isolation of all."""
    runs: list[Conditions] = []
    with suppress(BotsError):
        for line in _content(layout.evidence(folder / layout.TOURNAMENT)).splitlines():
            with suppress(ValidationError):
                runs.append(Conditions.model_validate_json(line))
    if not runs:
        return Conditions()
    strongest = max((run.isolation for run in runs), key=get_args(Level).index)
    return runs[-1].model_copy(update={"isolation": strongest})


def partial_lines(tournament: Tournament, each: Mapper) -> Iterator[str]:
    """Yield a sentence for each partial last line. Raises the LogError of a damaged log."""
    folder = tournament.folder
    matches = sorted((folder / layout.MATCHES).glob("*.jsonl"))
    for message in each(_partial_line, [folder / layout.TOURNAMENT, *matches]):
        if message:
            yield message


def _unfinished_log(folder: Path) -> Log:
    """Return the tournament's log, without a seal. Raises as :func:`plan` does."""
    path = folder / layout.TOURNAMENT
    if not exists(folder):
        raise UsageError(f"{folder}: there is no such folder.{similar_name(folder)}")
    if not folder.is_dir():
        raise UsageError(f"{folder}: expected a tournament's folder, found a file.")
    if not path.is_file():
        raise _nothing(folder)
    for name in (layout.MATCHES, layout.EVIDENCE):
        refuse_links(folder / name, folder)
    try:
        with LogWriter(path, again=True) as writer:  # raises InUse
            log = writer.log
    except OSError:
        if not is_sealed(path):
            raise
        raise _complete(folder) from None
    if log is None:
        raise _nothing(folder)
    if log.sealed:
        (folder / SEED_FILE).unlink(missing_ok=True)
        raise _complete(folder)
    return log


def is_sealed(path: Path) -> bool:
    """Return whether a log has its seal, also where it cannot be opened for writing."""
    try:
        return reader.read(path).sealed
    except (LogError, OSError):
        return False


def _complete(folder: Path) -> Complete:
    command = f"koth verify {shell_word(folder)}"
    return Complete(f"{folder}: already complete; `{command}` checks its matches.")


def _nothing(folder: Path) -> NothingToDo:
    if any((folder / layout.MATCHES).glob("*.jsonl")):
        return NothingToDo(
            f"{folder / layout.TOURNAMENT}: expected the log of the tournament whose matches are "
            "there, found none, or an empty one. Put it back; without it the tournament cannot go "
            "on."
        )
    return NothingToDo(
        f"{folder}: expected an interrupted tournament, found no {layout.TOURNAMENT} with a first "
        "line. Name its folder, or begin again with `koth tournament` in another one."
    )


def _entered(folder: Path, entrants: Sequence[Mapping[str, Any]], bots: list[Bot]) -> list[Bot]:
    """Return ``bots`` if they have the names and hashes on record. Raises BotsError."""
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
    """Return the tournament's seed. Raises UsageError without it, CorruptLog for another one."""
    try:
        seed = _content(path).decode().strip()
    except (BotsError, UnicodeDecodeError):
        raise UsageError(
            f"{path}: expected the tournament's seed; without it the tournament cannot go on."
        ) from None
    if seal.commitment(seed) != commitment:
        raise CorruptLog(
            path, 1, "expected the seed that the tournament is bound to, found another"
        )
    return seed


def _content(path: Path) -> bytes:
    """Return the content of a plain file. Raises BotsError for a pipe or a link to outside."""
    return bot_files.read(path, bot_files.real(path.parent)).content


def _partial_line(path: LogPath) -> str:
    try:
        reader.read(path)
    except IncompleteLog as error:
        data = path.read_bytes()
        if size := len(data) - data.rfind(b"\n") - 1:
            return f"{error.where}: the line is torn after {size} bytes; it is cut away."
    return ""
