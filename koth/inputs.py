"""What people type, made into what the other folders take."""

from __future__ import annotations

import re
import secrets

from koth.options import Isolation
from schema.errors import UsageError


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


def isolation(given: Isolation) -> str:
    """The level of isolation. Raises UsageError for one that this machine does not have."""
    if given is Isolation.SANDBOX:
        raise UsageError(
            "--isolation sandbox: not available in this version; available: process, none."
        )
    return given.value
