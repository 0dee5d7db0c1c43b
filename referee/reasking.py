"""The bots of a recorded match, to be asked again: who they are, and where they sit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from games.table import Replies
from referee import match
from referee.bot import Bot
from referee.errors import BotsError
from referee.roster.resolve import resolve
from schema.reader import Log


def chosen(log: Log, words: Sequence[str], any_files: bool) -> tuple[list[Bot], list[str]]:
    """The bot for each seat of ``log`` out of what BOTS names, and the names of those left over.

    A word that names one bot goes before one that names several: with ``any_files`` it is asked,
    although a folder that is also given holds the recorded files. Raises BotsError and UsageError.
    """
    resolve(words, log.card)  # what is wrong with the words together
    groups = [resolve([word], log.card) for word in words]
    named = [bot for group in groups if len(group) == 1 for bot in group]
    others = [bot for group in groups if len(group) != 1 for bot in group]
    try:
        found = seated(log, named, any_files)
    except BotsError:
        found = seated(log, [*named, *others], any_files)
    return found, [bot.name for bot in (*named, *others) if bot not in found]


def seated(log: Log, bots: Sequence[Bot], any_files: bool = False) -> list[Bot]:
    """Of ``bots`` the one for each seat of ``log``: that with the recorded hash.

    With ``any_files`` one of the same name goes first, whatever its files; and the bots as they are
    given will do, where there is one for each seat. Raises BotsError that names the seat, the hash
    expected and those found.
    """
    players = log.start["players"]
    in_order = any_files and len(bots) == len(players)
    found = []
    for player in players:
        named = [bot for bot in bots if player["name"] in (bot.name, f"{bot.name}-2")]
        same = [bot for bot in bots if bot.is_recorded_as(player["bot"])]
        fitting = [bot for bot in named if bot in same] or same
        if any_files:
            fitting = named or fitting or ([bots[player["seat"]]] if in_order else [])
        if not fitting:
            raise _no_bot(log, player, named)
        found.append(fitting[0])
    return found


def _no_bot(log: Log, player: Mapping[str, Any], named: Sequence[Bot]) -> BotsError:
    """That none of the bots given has the recorded hash; ``named`` are those of the same name."""
    hint = ""
    if named:
        hint = f"; {named[0].name} has {named[0].hash[:16]}… now (--any-files asks it all the same)"
    return BotsError(
        f"{log.path}: seat {player['seat']}, {player['name']}: expected a bot with the "
        f"hash {player['bot'][:16]}…, found none{hint}."
    )


@contextmanager
def session(
    log: Log, bots: Sequence[Bot], isolation: str, cold: bool = False
) -> Iterator[Callable[[Any], Replies]]:
    """Bots at the table of a sealed match, with the seeds that they had; it puts asks to them."""
    settings = log.start["settings"]
    with match.open_session(log.card, bots, log.seal["seed"], settings, cold, isolation) as asked:
        yield lambda asks: asked(asks)[0]
