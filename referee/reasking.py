"""Find the bots of a recorded match by their hashes, and ask them again."""

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
    """Return the bot for each seat of ``log`` from the words in BOTS, and the names of unused bots.

    Words that name one bot take precedence over words that name several. With ``any_files``, such a
    bot is asked even if a folder among the words holds the recorded files. Raises BotsError and
    UsageError.
    """
    resolve(words, log.card)  # raises the problems of all words together
    groups = [resolve([word], log.card) for word in words]
    named = [bot for group in groups if len(group) == 1 for bot in group]
    others = [bot for group in groups if len(group) != 1 for bot in group]
    try:
        bots = seated(log, named, any_files)
    except BotsError:
        bots = seated(log, [*named, *others], any_files)
    return bots, [bot.name for bot in (*named, *others) if bot not in bots]


def seated(log: Log, bots: Sequence[Bot], any_files: bool = False) -> list[Bot]:
    """Return the bot with the recorded hash for each seat of ``log``.

    With ``any_files``, a bot of the same name takes precedence whatever its files. If the number of
    bots is that of the seats, the bot in the seat's position is the last choice. Raises BotsError
    with the seat and the expected hash.
    """
    players = log.start["players"]
    in_order = any_files and len(bots) == len(players)
    chosen_bots = []
    for player in players:
        named = [bot for bot in bots if player["name"] in (bot.name, f"{bot.name}-2")]
        same = [bot for bot in bots if bot.is_recorded_as(player["bot"])]
        fitting = [bot for bot in named if bot in same] or same
        if any_files:
            fitting = named or fitting or ([bots[player["seat"]]] if in_order else [])
        if not fitting:
            raise _no_bot(log, player, named)
        chosen_bots.append(fitting[0])
    return chosen_bots


def _no_bot(log: Log, player: Mapping[str, Any], named: Sequence[Bot]) -> BotsError:
    """Return the error for a seat without a bot; ``named`` are the bots of the same name."""
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
    """Open a session with the bots of a sealed match, with the same seeds; yield its questioner."""
    settings = log.start["settings"]
    with match.open_session(log.card, bots, log.seal["seed"], settings, cold, isolation) as ask:
        yield lambda questions: ask(questions)[0]
