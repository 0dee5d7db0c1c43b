"""Choose the isolation of bots: from --isolation, the environment, or this machine's abilities."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from koth.cli.inputs import warn
from koth.cli.options import Isolation
from schema.errors import UsageError

if TYPE_CHECKING:
    from referee.bot import Bot

VARIABLE = "KOTH_ISOLATION"
"""Environment variable with the level for commands without --isolation."""


def choose(option: Isolation | None) -> str:
    """Return the level of ``option``, of the environment, or the strongest available one.

    Prints a chosen default. Raises UsageError if this machine does not have the level.
    """
    level, source = _requested(option)
    if level is None:
        level = _strongest()
        reason = "" if level is Isolation.SANDBOX else _no_sandbox()
        print(f"koth: {_default_message(reason)}", file=sys.stderr)
    else:
        _check_available(level, f"{source} {level}")
    return level.value


def choose_to_resume(option: Isolation | None, recorded: str, on_cluster: bool = False) -> str:
    """Return the level at which a tournament that was begun at ``recorded`` goes on.

    It is that of ``option``. Without one it is the stronger of the recorded level and that of a new
    tournament, so that a file in the folder never weakens the isolation. Raises UsageError if this
    machine does not have the level, unless the bots play on a cluster.
    """
    if option is not None:
        level, source = option, f"--isolation {option}"
    else:
        begun = Isolation(recorded)
        level = max(begun, _requested(None)[0] or _strongest(), key=[*reversed(Isolation)].index)
        source = f"the tournament was begun at {begun}"
        if level is not begun:
            warn([f"{source}, and goes on at {level}; --isolation {begun} keeps that level."])
    if not on_cluster:
        _check_available(level, source, "" if option else "--isolation ")
    return level.value


def _strongest() -> Isolation:
    return Isolation.PROCESS if _no_sandbox() else Isolation.SANDBOX


def _no_sandbox() -> str:
    """Return the reason why this machine has no sandbox, or an empty string."""
    from referee.sandbox import sandbox

    return sandbox.unavailable_reason()


def _requested(option: Isolation | None) -> tuple[Isolation | None, str]:
    """Return the level that the option or the environment requests, if any, and its source."""
    if option is not None or not (word := os.environ.get(VARIABLE)):
        return option, "--isolation"
    try:
        return Isolation(word), VARIABLE
    except ValueError:
        known = ", ".join(Isolation)
        raise UsageError(f"{VARIABLE}: expected one of {known}, found '{word}'.") from None


def _check_available(level: Isolation, source: str, option: str = "") -> None:
    if level is Isolation.SANDBOX and (reason := _no_sandbox()):
        raise UsageError(f"{source}: {reason}. Without a sandbox: {option}process, {option}none.")


def _default_message(reason: str) -> str:
    if reason:
        return f"no sandbox for the bots: {reason}. Bots run as your user, without a sandbox."
    return "each bot plays in a sandbox."


def bind_paths(words: list[str] | None, level: str) -> tuple[str, ...]:
    """Return the paths of --bind, absolute and unique.

    Raises UsageError if ``level`` is not the sandbox or a path cannot be bound.
    """
    from referee.sandbox import sandbox

    if words and level != Isolation.SANDBOX:
        raise UsageError(
            f"--bind: expected the isolation sandbox, found {level}, where bots can read what you "
            "can. Leave --bind out."
        )
    paths = [Path(word).absolute() for word in words or ()]
    for path in paths:
        if problem := sandbox.cannot_show(path):
            raise UsageError(f"--bind {path}: {problem}.")
    return tuple(dict.fromkeys(map(str, paths)))


def with_binds(bots: Sequence[Bot], words: list[str] | None, level: str) -> list[Bot]:
    """Return ``bots`` with the paths of --bind. Raises UsageError like :func:`bind_paths`."""
    return [replace(bot, binds=bind_paths(words, level)) for bot in bots]
