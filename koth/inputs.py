"""What people type, made into what the other folders take."""

from __future__ import annotations

import os
import re
import secrets
import sys

from koth.options import Isolation
from schema.errors import UsageError

VARIABLE = "KOTH_ISOLATION"
"""The environment's word on --isolation, for commands that are not given it."""


def seed(given: str | None) -> str:
    """64 hex digits: those given, with zeros in front, or random ones."""
    if given is None:
        return secrets.token_hex(32)
    if not re.fullmatch(r"[0-9a-fA-F]{1,64}", given):
        raise UsageError(f"--seed: expected 1 to 64 hex digits (0-9, a-f), found '{given}'.")
    return given.lower().zfill(64)


def name(given: str | None) -> str | None:
    """The id of a tournament, where one was given."""
    if given is not None and not (given.isprintable() and 1 <= len(given) <= 64):
        raise UsageError(f"--name: expected 1 to 64 printable characters, found {given!r}.")
    return given


def settings(given: list[str] | None) -> dict[str, object]:
    """``KEY=VALUE`` words as a dict; the game's model judges the values."""
    found: dict[str, object] = {}
    for word in given or []:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UsageError(f"--set: expected KEY=VALUE, found '{word}'.")
        found[key] = value
    return found


def isolation(given: Isolation | None) -> str:
    """The level of isolation: that given, or the environment's, or the strongest that there is.

    Says which, where nobody has chosen one. Raises UsageError for one that this machine does not
    have, with the reason.
    """
    chosen, where = given, "--isolation"
    if chosen is None and (word := os.environ.get(VARIABLE)):
        where = VARIABLE
        try:
            chosen = Isolation(word)
        except ValueError:
            known = ", ".join(Isolation)
            raise UsageError(f"{VARIABLE}: expected one of {known}, found '{word}'.") from None
    if chosen is not None and chosen is not Isolation.SANDBOX:
        return chosen.value
    from referee import sandbox

    lacking = sandbox.lacking()
    if chosen is Isolation.SANDBOX and lacking:
        raise UsageError(f"{where} sandbox: {lacking}. Without one: process, none.")
    if chosen is None:
        print(f"koth: {_level(lacking)}", file=sys.stderr)
    return (Isolation.PROCESS if lacking else Isolation.SANDBOX).value


def _level(lacking: str) -> str:
    """What is told of the isolation at start."""
    if lacking:
        return f"no sandbox for the bots: {lacking}. They play in processes as you."
    return "each bot plays in a sandbox."


def isolation_again(kept: str) -> str:
    """The level that a tournament began with, or the next one where that is not to be had."""
    from referee import sandbox

    if kept == Isolation.SANDBOX and (lacking := sandbox.lacking()):
        print(f"koth: {_level(lacking)}", file=sys.stderr)
        return Isolation.PROCESS.value
    return kept
