"""Levels of isolation of bots, and the level of a match that names none."""

from __future__ import annotations

import os
import sys
from enum import StrEnum

from schema.errors import UsageError

VARIABLE = "KOTH_ISOLATION"
"""Environment variable with the level of matches that name none."""


class Isolation(StrEnum):
    """Levels of isolation of bots, the strongest first."""

    SANDBOX = "sandbox"
    PROCESS = "process"
    NONE = "none"


def choose(option: Isolation | None) -> tuple[Isolation, str]:
    """Return the level of ``option``, of the environment, or the strongest available one.

    The second value is a sentence about a level that nobody named, else "". Raises UsageError if
    this machine does not have the level.
    """
    level, source = requested(option)
    if level is not None:
        check_available(level, f"{source} {level}")
        return level, ""
    level = strongest()
    if level is Isolation.SANDBOX:
        return level, "each bot plays in a sandbox."
    problem = f"no sandbox for the bots: {no_sandbox()}"
    return level, f"{problem}. Bots run as your user, without a sandbox."


def requested(option: Isolation | None) -> tuple[Isolation | None, str]:
    """Return the level that the option or the environment requests, if any, and its source."""
    if option is not None or not (word := os.environ.get(VARIABLE)):
        return option, "isolation"
    return level_named(word, VARIABLE), VARIABLE


def level_named(word: str, source: str) -> Isolation:
    """Return the level of this name, which ``source`` gives. Raises UsageError if there is none."""
    try:
        return Isolation(word)
    except ValueError:
        known = ", ".join(Isolation)
        raise UsageError(f"{source}: expected one of {known}, found '{word}'.") from None


def strongest() -> Isolation:
    """Return the strongest level that this machine has, but never ``none``.

    Raises UsageError if it has no other.
    """
    check_linux()
    return Isolation.PROCESS if no_sandbox() else Isolation.SANDBOX


def no_sandbox() -> str:
    """Return the reason why this machine has no sandbox, or an empty string."""
    from referee.sandbox import sandbox

    return sandbox.unavailable_reason()


def check_available(level: Isolation, source: str, option: str = "") -> None:
    """Raise UsageError if this machine does not have the level that ``source`` names.

    ``option`` is how one names another level.
    """
    if level is not Isolation.NONE:
        check_linux(source)
    if level is Isolation.SANDBOX and (reason := no_sandbox()):
        raise UsageError(f"{source}: {reason}. Without a sandbox: {option}process, {option}none.")


def check_linux(source: str = "") -> None:
    """Raise UsageError, about a level that ``source`` names, if this system isolates no bots."""
    if sys.platform != "linux":
        from referee.environment import system_name

        about = f"{source}: " if source else ""
        raise UsageError(
            f"{about}only Linux isolates bots, and this is {system_name()}. For bots that you "
            f"trust, use --isolation none, or set {VARIABLE}=none in the environment. For others, "
            "use a machine, a container or a WSL with Linux."
        )
