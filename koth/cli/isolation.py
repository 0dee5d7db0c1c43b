"""Choose the isolation of bots: from --isolation, the environment, or this machine's abilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from koth.cli.inputs import warn
from koth.library import isolation
from koth.library.isolation import Isolation
from schema.errors import UsageError

if TYPE_CHECKING:
    from referee.bot import Bot

B = TypeVar("B", "Bot", "Bot | None")


def choose(option: Isolation | None) -> Isolation:
    """Return the level of ``option``, of the environment, or the strongest available one.

    Prints a chosen default. Raises UsageError if this machine does not have the level.
    """
    level, message = isolation.choose(option)
    warn([message] if message else [])
    return level


def choose_to_resume(option: Isolation | None, recorded: str, on_cluster: bool) -> Isolation:
    """Return the level at which a tournament that was begun at ``recorded`` goes on.

    It is that of ``option``. Without one it is the stronger of the recorded level and that of a new
    tournament, so that a file in the folder never weakens the isolation. Raises UsageError if this
    machine does not have the level, unless the bots play on a cluster.
    """
    if option is not None:
        level, source = option, f"--isolation {option}"
    else:
        begun = Isolation(recorded)
        usual = isolation.requested(None)[0] or isolation.strongest()
        level = max(begun, usual, key=[*reversed(Isolation)].index)
        source = f"the tournament was begun at {begun}"
        if level is not begun:
            warn([f"{source}, and goes on at {level}; --isolation {begun} keeps that level."])
    if not on_cluster:
        isolation.check_available(level, source, "" if option else "--isolation ")
    return level


def bind_paths(words: list[str] | None, level: str) -> tuple[str, ...]:
    """Return the paths of --bind, absolute and unique.

    Raises UsageError if ``level`` is not the sandbox or a path cannot be bound.
    """
    if not words:
        return ()
    if level != Isolation.SANDBOX:
        raise UsageError(
            f"--bind: expected the isolation sandbox, found {level}, where bots can read what you "
            "can. Leave --bind out."
        )
    from referee.sandbox import sandbox

    paths = [Path(word).absolute() for word in words]
    for path in paths:
        if problem := sandbox.cannot_show(path):
            raise UsageError(f"--bind {path}: {problem}.")
    return tuple(dict.fromkeys(map(str, paths)))


def with_binds(bots: Sequence[B], words: list[str] | None, level: str) -> list[B]:
    """Return ``bots`` with the paths of --bind. Raises UsageError like :func:`bind_paths`.

    A seat without a bot stays so.
    """
    return [bot and replace(bot, binds=bind_paths(words, level)) for bot in bots]
