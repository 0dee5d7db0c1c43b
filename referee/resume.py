"""Goes on with an interrupted tournament, from what it has left in its folder.

1. Its own log says what is played, by whom, and to which seed it is bound. It may be without its
   seal, and torn in its last line; so may the matches. Nothing else may be wrong with them.
2. The seed is in a file of its own, and is the one committed to.
3. The evidence says how the bots were named. They are found by that, or by other words that are
   given, and their files are still the same.
4. Then the rules of the tournament run from its start. Matches that are sealed stay as they are,
   others are played on, and what is recorded has to come out again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ValidationError

from referee.errors import BotsError
from referee.roster import resolve
from referee.tournament import SEED_FILE, Tournament
from schema import folder as layout
from schema import reader, seal
from schema.errors import CorruptLog, KothError, NothingToDo, UsageError
from schema.mapper import Mapper
from schema.reader import IncompleteLog, Log
from schema.writer import LogWriter


class Complete(KothError):
    """There is nothing left to be played."""

    exit_code = 0


class Conditions(BaseModel):
    """What the evidence says of how a tournament is played."""

    isolation: str = "process"
    cold: bool = False
    bots: list[str] = []


def plan(folder: Path, words: Sequence[str] = (), durable: bool = False) -> Tournament:
    """The rest of the tournament in ``folder``, with bots named by ``words``, if there are any.

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
    words = words or kept.bots
    if not words:
        raise UsageError(f"{folder}: how its bots are named is not on record. Name them.")
    bots = resolve(words, card)
    entrants = log.start["entrants"]
    if len(bots) != len(entrants):
        raise BotsError(f"{folder}: expected {len(entrants)} bots, found {len(bots)}.")
    for entrant, bot in zip(entrants, bots, strict=True):
        if (bot.name, bot.hash) != (entrant["name"], entrant["bot"]):
            raise BotsError(
                f"{folder}: expected the bot {entrant['name']} with the hash "
                f"{entrant['bot'][:16]}…, found {bot.name} with {bot.hash[:16]}…. Name the bots as "
                "they were, in their order."
            )
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


def torn(tournament: Tournament, each: Mapper) -> Iterator[str]:
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
    with LogWriter(path, again=True) as writer:  # unless somebody is writing it
        log = writer.log
    if log is None:
        raise _nothing(folder)
    if log.events[-1]["type"] in reader.SEALS:
        (folder / SEED_FILE).unlink(missing_ok=True)
        raise Complete(f"{folder}: already complete.")
    return log


def _nothing(folder: Path) -> NothingToDo:
    return NothingToDo(f"{folder}: nothing was begun in there. Remove it, and begin again.")


def _seed(path: Path, commitment: str) -> str:
    """The tournament's seed."""
    try:
        seed = path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        raise UsageError(
            f"{path}: expected the seed in there; without it nobody goes on."
        ) from None
    if seal.commitment(seed) != commitment:
        raise CorruptLog(
            path, 1, "expected the seed that the tournament is bound to, found another"
        )
    return seed


def _conditions(path: Path) -> Conditions:
    """How the tournament was played last, as far as that is on record."""
    with suppress(OSError):
        for line in reversed(path.read_bytes().splitlines()):
            with suppress(ValidationError):
                return Conditions.model_validate_json(line)
    return Conditions()


def _torn(path: Path) -> str:
    try:
        reader.read(path)
    except IncompleteLog as error:
        data = path.read_bytes()
        if size := len(data) - data.rfind(b"\n") - 1:
            return f"{error.where}: the line is torn after {size} bytes; it is cut away."
    return ""
