"""Python scripts kept ready, a helper process per bot, that forks once per decision; and a helper
that starts all other commands.

Helpers (:mod:`referee.processes.fork_client`) are kept from one match to the next, and end with
this process, however that ends.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from referee.bot import Bot
from referee.errors import RefereeError
from referee.processes import process
from referee.processes.environment import NO_SEED, environment
from referee.processes.fork_client import Helper, script
from referee.processes.process import Outcome

MOST = 64
"""Helpers that a process keeps at the same time; each has a few MB to itself."""

_helpers: dict[tuple[object, ...], Helper | None] = {}
"""By bot, those of the last matches last; None for one that does not come up."""


STARTED = Bot("", (), ())
"""No bot: nothing is kept ready in a helper that only starts commands."""

_starters: dict[tuple[object, ...], Helper] = {}
"""Helpers that start commands, by what is in their environment."""


def seat(bots: Iterable[Bot]) -> None:
    """Before a match: where there are too many helpers, end those that were not used for longest.

    Those of ``bots`` are kept: a bot that finds no room in a large match starts cold.
    """
    seated = dict.fromkeys(key(bot) for bot in bots if script(bot))
    for one in seated:
        if one in _helpers:
            _helpers[one] = _helpers.pop(one)
    spare = [one for one in _helpers if one not in seated]
    for one in spare[: max(0, len(spare) + len(seated) - MOST)]:
        drop(one)


def start(command: Sequence[str], home: Path, bot_seed: str, time_limit: float) -> Outcome:
    """Run a command once, to its end or for ``time_limit`` seconds.

    It runs in a session of its own, with nothing on its standard input; when it ends, its whole
    process group is killed. A helper's fork becomes the command, and limits itself before: nothing
    of a bot ever runs without its limits. Raises RefereeError when no process can be started.
    """
    settings = environment(NO_SEED)
    one = tuple(settings.values())
    for _ in range(2):  # as in run
        try:
            if one not in _starters:
                _starters[one] = Helper(STARTED, "", settings)
            outcome = _starters[one].start(home, bot_seed, command, time_limit)
        except BaseException as error:
            drop(one)
            process.check_means(error)
            raise
        if _starters[one].gone:
            drop(one)
        if outcome is not None:
            return outcome
    raise RefereeError("the process that starts bots ends before they are begun.")


def run(
    bot: Bot, home: Path, bot_seed: str, arguments: Sequence[str], time_limit: float
) -> Outcome | None:
    """Run the bot's script once, as :func:`start` does; None if it has to be run cold."""
    one = key(bot)
    for _ in range(2):  # the first helper may have been ended by what an earlier decision left
        helper = _helper(one, bot)
        if helper is None:
            break
        try:
            outcome = helper.run(home, bot_seed, arguments, time_limit)
        except BaseException as error:
            drop(one)
            process.check_means(error)
            raise
        if helper.gone:
            drop(one)
        if outcome is not None or not helper.gone:
            return outcome
    return None


def key(bot: Bot) -> tuple[object, ...]:
    """What bots have in common that can have the same helper."""
    return bot.command, bot.files, *environment("").values()


def _helper(one: tuple[object, ...], bot: Bot) -> Helper | None:
    """The helper of a bot, started if need be."""
    if one not in _helpers:
        file = script(bot)
        if file is None or len(_helpers) >= MOST:
            return None
        helper = None
        with suppress(OSError, ValueError):
            helper = Helper(bot, file, environment(NO_SEED))
        _helpers[one] = helper
        if helper is not None and helper.gone:
            helper.end()
            _helpers[one] = None
    return _helpers[one]


def drop(one: tuple[object, ...]) -> None:
    """End a helper. The next decision may start another."""
    helper = _helpers.pop(one, None) or _starters.pop(one, None)
    if helper is not None:
        helper.end()


def end() -> None:
    """End all helpers."""
    for one in [*_helpers, *_starters]:
        drop(one)


def _forget() -> None:
    """In a fork of this process: the helpers are not its own."""
    for helper in [*_helpers.values(), *_starters.values()]:
        if helper is not None:
            helper.forget()
    _helpers.clear()
    _starters.clear()


atexit.register(end)
os.register_at_fork(after_in_child=_forget)
