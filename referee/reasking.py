"""Find the bots of a recorded match by their hashes, and ask them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from games.table import JointAsk, Part, Replies, Reply, replies_by_seat
from referee import match
from referee.bot import Bot, free_name, numbered
from referee.errors import BotsError
from referee.roster.functions import function_bot
from referee.roster.resolve import resolve
from schema.errors import UsageError
from schema.reader import Log


def chosen(log: Log, words: Sequence[str], any_files: bool) -> tuple[list[Bot | None], list[str]]:
    """Return the bot for each seat of ``log`` from the words in BOTS, and the names of unused bots.

    A seat without a bot has None. Words that name one bot take precedence over words that name
    several. With ``any_files``, such a bot is asked even if a folder among the words holds the
    recorded files. Raises UsageError, and BotsError if no seat has a bot, or one was given under
    the name of a seat with other files.
    """
    resolve(words, log.card)  # raises the problems of all words together
    groups = [resolve([word], log.card) for word in words]
    named = [bot for group in groups if len(group) == 1 for bot in group]
    others = [bot for group in groups if len(group) != 1 for bot in group]
    given = [*named, *others]
    bots = available(log, named, any_files)
    if None in bots:
        bots = available(log, given, any_files)
    for player, bot in zip(log.start["players"], bots, strict=True):
        # A bot that played at another seat may be called like this one but for the number.
        namesakes = [bot for bot in _named(player, given) if bot not in bots]
        if bot is None and (namesakes or not any(bots)):
            raise _no_bot(log, player, namesakes, any_files)
    return bots, [bot.name for bot in given if bot not in bots]


def available(log: Log, bots: Sequence[Bot], any_files: bool = False) -> list[Bot | None]:
    """Return the bot with the recorded hash for each seat of ``log``; None if none fits.

    With ``any_files``, a bot of the same name takes precedence whatever its files. If the number of
    bots is that of the seats, the bot in the seat's position is the last choice.
    """
    in_order = len(bots) == len(log.start["players"])
    return [_fitting(player, bots, any_files, in_order) for player in log.start["players"]]


def _fitting(
    player: Mapping[str, Any], bots: Sequence[Bot], any_files: bool, in_order: bool
) -> Bot | None:
    named = _named(player, bots)
    same = [bot for bot in bots if bot.is_recorded_as(player["bot"])]
    fitting = [bot for bot in named if bot in same] or same
    if any_files:
        fitting = named or fitting or ([bots[player["seat"]]] if in_order else [])
    return fitting[0] if fitting else None


def _named(player: Mapping[str, Any], bots: Sequence[Bot]) -> list[Bot]:
    """Return the bots of the player's name.

    If a bot has that name itself, and another one with a number, the recorded files decide.
    """
    exact = [bot for bot in bots if bot.name == player["name"]]
    others = [bot for bot in bots if bot not in exact and _is_named(bot, player["name"])]
    groups = (exact, others)
    recorded = [any(bot.is_recorded_as(player["bot"]) for bot in group) for group in groups]
    return [*others, *exact] if recorded == [False, True] else [*exact, *others]


def check_all(
    log: Log, chosen: Sequence[Bot | None], bots: Sequence[Bot], any_files: bool
) -> list[Bot]:
    """Return the bots by seat. Raises BotsError if one is missing; ``bots`` are the candidates."""
    checked = []
    for player, bot in zip(log.start["players"], chosen, strict=True):
        if bot is None:
            raise _no_bot(log, player, _named(player, bots), any_files, ", with --bots")
        checked.append(bot)
    return checked


def refuse_changed(
    log: Log, bots: Sequence[Bot | None], words: Sequence[str], own: int | None
) -> None:
    """Raise BotsError if a word names one bot of a seat's name, but its files did not play.

    ``bots`` are those of ``words``, by seat. So no other bot of this name plays in its place. The
    seat ``own`` is not checked, nor are bots of a folder with several.
    """
    players = log.start["players"]
    pairs = zip(players, bots, strict=True)
    missing = [player for player, bot in pairs if bot is None and player["seat"] != own]
    groups = [resolve([word], log.card) for word in words] if missing else []
    named = [bot for group in groups if len(group) == 1 for bot in group]
    changed = [bot for bot in named if not any(bot.is_recorded_as(one["bot"]) for one in players)]
    for player in missing:
        if fitting := _named(player, changed):
            raise _no_bot(log, player, fitting, any_files=False)


def seat_of(log: Log, bot: Bot, seat: int | None) -> int:
    """Return ``seat``, or without one the only seat whose player has the name of ``bot``.

    Raises UsageError.
    """
    listed = seats_text(log)
    if seat is None:
        fitting = seats_named(log, bot)
        if len(fitting) != 1:
            number = f"{len(fitting)} seats have" if fitting else "no seat has"
            raise UsageError(
                f"{log.path}: {number} a bot with the name of yours, {bot.name}. Choose its seat "
                f"with --seat: {listed}."
            )
        return fitting[0]
    if not 0 <= seat < len(log.start["players"]):
        raise UsageError(f"{log.path}: --seat: expected a seat of {listed}, found {seat}.")
    return seat


def seats_text(log: Log) -> str:
    """Return ``0 fox, 1 hound``: the seats with the names of their players."""
    return ", ".join(f"{player['seat']} {player['name']}" for player in log.start["players"])


def named_like(log: Log, bots: Sequence[Bot], seat: int | None) -> list[Bot]:
    """Return the bot of the name of ``seat``, or those of the name of any seat, each once."""
    players = [one for one in log.start["players"] if seat in (None, one["seat"])]
    return [*dict.fromkeys(named[0] for player in players if (named := _named(player, bots)))]


def seats_named(log: Log, bot: Bot) -> list[int]:
    """Return the seats whose players have the name of ``bot``, or that name with a number."""
    players = enumerate(log.start["players"])
    return [seat for seat, player in players if _is_named(bot, player["name"])]


def named_as(log: Log, bot: Bot, seat: int) -> Bot:
    """Return ``bot`` under the name that it has at ``seat``.

    That is the recorded one, if it only numbers the bot's own name. Otherwise its own name gets a
    number if another player has it.
    """
    names = [player["name"] for player in log.start["players"]]
    recorded = names.pop(seat)
    name = recorded if _is_named(bot, recorded) else free_name(bot.name, names)
    return replace(bot, name=name)


def _is_named(bot: Bot, name: str) -> bool:
    """Return whether ``name`` is that of ``bot``, or that name with a number."""
    number = name.rpartition("-")[2]
    return name == bot.name or (number.isdecimal() and name == numbered(bot.name, number))


def _no_bot(
    log: Log, player: Mapping[str, Any], named: Sequence[Bot], any_files: bool, option: str = ""
) -> BotsError:
    """Return the error for a seat without a bot; ``named`` are the bots of the same name.

    ``option`` says where a bot can be named.
    """
    expected = f"a bot with the hash {player['bot'][:16]}…"
    hint = f"; name the file that played, unchanged{option}"
    if any_files:
        expected, hint = "a bot of this name, or one bot for each seat", ""
    elif named:
        hint = f"; {named[0].name} has {named[0].hash[:16]}… now (--any-files asks it all the same)"
    return BotsError(
        f"{log.path}: seat {player['seat']}, {player['name']}: expected {expected}, found "
        f"none{hint}."
    )


@contextmanager
def session(
    log: Log, bots: Sequence[Bot], isolation: str, cold: bool = False
) -> Iterator[Callable[[Any], Replies]]:
    """Open a session with the bots of a sealed match, with the same seeds; yield its questioner."""
    settings = log.start["settings"]
    with match.open_session(log.card, bots, log.seal["seed"], settings, cold, isolation) as ask:
        yield lambda questions: ask(questions)[0]


@contextmanager
def partial_session(
    log: Log, bots: Sequence[Bot | None], isolation: str, cold: bool
) -> Iterator[Callable[[Any], Mapping[Part, Reply]]]:
    """Open a session like :func:`session` with the bots that are there, by seat.

    Its questioner returns the replies of their seats only, by seat and name of the question.
    """
    absent = function_bot(_Absent)
    with session(log, [bot or absent for bot in bots], isolation, cold) as ask:

        def replies(question: Any) -> Mapping[Part, Reply]:
            joint = isinstance(question, JointAsk)
            put = question if joint else [part for part in question if bots[part.seat]]
            given: Any = ask(put) if put else ()
            if joint:
                by_seat = replies_by_seat(given)
                own = {seat: reply for seat, reply in by_seat.items() if bots[seat]}
                return {Part(seat, question.name): reply for seat, reply in own.items()}
            return {asked.part: reply for asked, reply in zip(put, given, strict=True)}

        yield replies


class _Absent:
    """A class bot whose choices nobody uses."""

    def __init__(self, index: int) -> None:
        pass

    def select(self) -> int:
        """Return any integer."""
        return 0

    def update(self, choices: Sequence[int]) -> None:
        """Do nothing."""
