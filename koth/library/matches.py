"""Play matches of programs and Python functions: ``koth.play``."""

from __future__ import annotations

import os
import secrets
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from pydantic import BaseModel

from games.table import Result
from koth.library import html
from koth.library import isolation as isolation_level
from koth.library.isolation import Isolation
from koth.library.paths import AnyPath, as_int, as_path, as_text, instance, raises_koth_errors
from koth.library.verdicts import Verdict, verify
from referee import entry_checks, single_match
from referee.bot import Bot
from referee.roster.functions import function_bot
from referee.roster.resolve import resolve
from schema import registry, seal
from schema.card import Card

Player = AnyPath | Callable[..., Any]
"""A bot as the command takes it, or a Python function or class."""


NO_LISTS = (str, bytes, os.PathLike, Mapping, Set)
"""Types without an order of players, or whose parts are no players."""


@dataclass(frozen=True)
class Match:
    """A match that was played."""

    log: Path
    """The absolute path of its log; the evidence is in the folder ``evidence`` beside it."""
    players: tuple[str, ...]
    """Names, by seat."""
    result: Result
    """``reason``, ``scores`` by seat, ``winners`` (seats), and ``faults`` (pairs of seat, kind)."""

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the players that won; none, one or several."""
        return tuple(self.players[seat] for seat in self.result.winners)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict on the log, which is verified on the first use."""
        return verify(self.log)

    def __str__(self) -> str:
        return single_match.in_words(self.players, self.result)

    def _repr_html_(self) -> str:
        kinds: dict[int, list[str]] = {}
        for seat, kind in self.result.faults:
            kinds.setdefault(seat, []).append(kind)
        rows = [
            (str(seat), html.strong(name), str(score), html.text(", ".join(kinds.get(seat, ()))))
            for seat, (name, score) in enumerate(zip(self.players, self.result.scores, strict=True))
        ]
        won = f", won by {', '.join(self.winners)}" if self.winners else ""
        return html.block(
            f"{html.strong(self.result.reason)}{html.text(won)}",
            html.table(("seat", "player", "score", "faults"), rows),
            html.text(self.log),
        )


@raises_koth_errors
def play(
    game: str,
    players: Sequence[Player],
    *,
    seed: str | int | None = None,
    settings: Mapping[str, int | str] | None = None,
    log: AnyPath | None = None,
    isolation: str | None = None,
    allow_broken: bool = False,
) -> Match:
    """Play one match, by seat between ``players``, and write its log.

    A player is a bot as ``koth play`` takes it (a path, ``examples/NAME``), or a Python function,
    which receives what a program of that game receives:

    - *argv* (Bank Heist, Coins): the program's arguments, each a ``str``. It returns the text that
      a program prints.
    - *file* (Coup): the text of the history, then the program's further arguments. It returns the
      text that a program appends, or a pair of that and the text that a program prints.
    - *stream*: the line that a program reads. It returns the line that a program prints.
    - *class* (Smallest Unique Number): a class, called with the index of its seat. Its object has
      ``select`` and ``update``.

    A function runs in this process, without isolation and without a time limit. Its error is a
    fault ``crash``; the traceback is in the evidence. ``KOTH_BOT_SEED`` in the environment is its
    own seed. In the log it has its own name and the hash of its command
    ``python:MODULE.QUALIFIED_NAME`` and of its source, but not of other code that it calls.

    ``seed`` is up to 64 hex digits, or an integer with these; by default it is random. ``settings``
    changes settings of the game. ``log`` is the log to write, by default in a new temporary folder.
    ``isolation`` is the level of programs: ``sandbox``, ``process`` or ``none``. With
    ``allow_broken``, a program that cannot run plays all the same; each question is a fault.

    Raises KothError for an unknown game or setting, a wrong number of players, a program that
    cannot run, and a log that exists; TypeError for arguments of another type. Warnings name other
    problems of the programs.
    """
    card = registry.card(instance(game, str, "game", "the name of a game"))
    if not isinstance(players, Iterable) or isinstance(players, NO_LISTS):
        raise TypeError(f"players: expected a list of them, found {type(players).__name__}")
    players = [*players]  # an iterator would be empty when the level of isolation is chosen
    for name in instance(settings, Mapping | None, "settings", "names with values") or ():
        instance(name, str, "settings", "a str for each name")
    model, number = card.settings(settings or {}), _seed(seed)
    output = None if log is None else as_path(log, "log")
    bots = [bot for player in players for bot in _bots(player, card)]
    instance(isolation, str | None, "isolation", "a str")
    instance(allow_broken, bool, "allow_broken", "a bool")
    named = None if isolation is None else isolation_level.level_named(isolation, "isolation")
    level = Isolation.NONE if all(map(callable, players)) else _level(named)
    try:
        with log_to_write(output, card.name) as path:
            absolute = path.absolute()  # before the match, because a function may change the folder
            match = played(
                card, bots, model, number, path, level, warn=_warn, allow_broken=allow_broken
            )
            return replace(match, log=absolute)
    except entry_checks.BrokenBots as error:
        error.option = "allow_broken=True"
        raise


def played(
    card: Card,
    bots: Sequence[Bot],
    settings: BaseModel,
    seed: str,
    log: Path,
    isolation: Isolation,
    *,
    warn: Callable[[Iterable[str]], None],
    cold: bool = False,
    durable: bool = False,
    allow_broken: bool = False,
) -> Match:
    """Check the bots, play a match into ``log``, and return it.

    Warnings about the bots go to ``warn`` before the match. Raises the errors of :func:`play`.
    """
    job = single_match.plan(card, bots, settings, seed, log, isolation.value, cold, durable)
    warn(entry_checks.check_match(job, allow_broken))
    result = single_match.play(job)
    return Match(log, tuple(bot.name for bot in job.bots), result)


@contextmanager
def log_to_write(output: Path | None, game: str) -> Iterator[Path]:
    """Yield ``output``, or a path in a new temporary folder named after the game.

    The folder is removed at the end of the block if it is empty.
    """
    if output is not None:
        yield output
        return
    folder = Path(mkdtemp(prefix=f"{game}-"))
    try:
        yield folder / "match.jsonl"
    finally:
        with suppress(OSError):
            folder.rmdir()


def _bots(player: Player, card: Card) -> Sequence[Bot]:
    if isinstance(player, str | os.PathLike):
        return resolve([as_text(player, "players")], card)
    if not callable(player):
        kind = type(player).__name__
        raise TypeError(f"players: expected a path or a function for each, found {kind}")
    return [function_bot(player)]


def _level(named: Isolation | None) -> Isolation:
    """Return the level of isolation for programs; warn if nobody named it and it is no sandbox."""
    level, message = isolation_level.choose(named)
    if message and level is not Isolation.SANDBOX:
        _warn([message])
    return level


def _seed(seed: str | int | None) -> str:
    if seed is None:
        return secrets.token_hex(32)
    return seal.full_seed(seed if isinstance(seed, str) else f"{as_int(seed, 'seed'):x}", "seed")


def _warn(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        warnings.warn(sentence, stacklevel=5)
