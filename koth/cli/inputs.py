"""What people type, made into what the other folders take."""

from __future__ import annotations

import os
import re
import secrets
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from koth.cli.options import Isolation
from schema import seal
from schema.errors import UsageError
from schema.log_path import printable

if TYPE_CHECKING:
    from referee.bot import Bot

VARIABLE = "KOTH_ISOLATION"
"""The environment's word on --isolation, for commands that are not given it."""


def seed(given: str | None) -> str:
    """64 hex digits: those given, with zeros in front, or random ones. Warns of a short seed."""
    if given is None:
        return secrets.token_hex(32)
    if not re.fullmatch(r"[0-9a-fA-F]{1,64}", given):
        raise UsageError(f"--seed: expected 1 to 64 hex digits (0-9, a-f), found '{given}'.")
    seed = given.lower().zfill(64)
    if seal.significant_digits(seed) < seal.MIN_DIGITS:
        told = f"a seed of fewer than {seal.MIN_DIGITS} hex digits hides nothing"
        warn([f"--seed {given}: {told}: a bot can find it, and all dice. Only for examples."])
    return seed


def warn(sentences: Iterable[str]) -> None:
    """Print sentences to standard error, a line each."""
    for sentence in sentences:
        print(f"koth: {printable(sentence)}", file=sys.stderr)


@contextmanager
def log(given: Path | None, game: str) -> Iterator[Path]:
    """The log to write: that given, or one in a new temporary folder named after the game.

    The folder is removed when the block ends before anything is in it.
    """
    if given is not None:
        yield given
        return
    folder = Path(mkdtemp(prefix=f"{game}-"))
    try:
        yield folder / "match.jsonl"
    finally:
        with suppress(OSError):
            folder.rmdir()


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
    chosen, where = _chosen(given)
    if chosen is None:
        from referee.sandbox import sandbox

        unavailable_reason = sandbox.unavailable_reason()
        print(f"koth: {_level(unavailable_reason)}", file=sys.stderr)
        return (Isolation.PROCESS if unavailable_reason else Isolation.SANDBOX).value
    _check_sandbox(chosen, f"{where} {chosen}")
    return chosen.value


def isolation_again(given: Isolation | None, recorded: str, elsewhere: bool = False) -> str:
    """The level at which a tournament goes on whose folder says that it was begun at ``recorded``.

    It is the one given; without one the stronger of that on record and that of a new tournament:
    what lies in a folder never weakens anything. Raises UsageError for one that this machine does
    not have, unless the bots play ``elsewhere``.
    """
    if given is not None:
        level, why = given, f"--isolation {given}"
    else:
        begun = Isolation(recorded)
        level = max(begun, _chosen(None)[0] or _strongest(), key=[*reversed(Isolation)].index)
        why = f"the tournament was begun at {begun}"
        if level is not begun:
            warn([f"{why}, and goes on at {level}; --isolation {begun} goes on as it was begun."])
    if not elsewhere:
        _check_sandbox(level, why, "" if given else "--isolation ")
    return level.value


def _strongest() -> Isolation:
    """The strongest level that this machine has."""
    from referee.sandbox import sandbox

    return Isolation.PROCESS if sandbox.unavailable_reason() else Isolation.SANDBOX


def _chosen(given: Isolation | None) -> tuple[Isolation | None, str]:
    """The level that somebody has chosen, if any, and where."""
    if given is not None or not (word := os.environ.get(VARIABLE)):
        return given, "--isolation"
    try:
        return Isolation(word), VARIABLE
    except ValueError:
        known = ", ".join(Isolation)
        raise UsageError(f"{VARIABLE}: expected one of {known}, found '{word}'.") from None


def _check_sandbox(level: Isolation, why: str, option: str = "") -> None:
    """Raises UsageError when ``level`` is the sandbox, and there is none here."""
    if level is Isolation.SANDBOX:
        from referee.sandbox import sandbox

        if unavailable_reason := sandbox.unavailable_reason():
            raise UsageError(
                f"{why}: {unavailable_reason}. Without one: {option}process, {option}none."
            )


def _level(unavailable_reason: str) -> str:
    """The sentence at start that tells the isolation."""
    if unavailable_reason:
        return f"no sandbox for the bots: {unavailable_reason}. They play in processes as you."
    return "each bot plays in a sandbox."


def binds(given: list[str] | None, level: str) -> tuple[str, ...]:
    """The paths of --bind, absolute, each once. Raises UsageError for one that cannot be shown."""
    from referee.sandbox import sandbox

    if given and level != Isolation.SANDBOX:
        raise UsageError(
            f"--bind: expected the isolation sandbox, found {level}, where bots can read what you "
            "can. Leave --bind out."
        )
    paths = [Path(word).absolute() for word in given or ()]
    for path in paths:
        if problem := sandbox.cannot_show(path):
            raise UsageError(f"--bind {path}: {problem}.")
    return tuple(dict.fromkeys(map(str, paths)))


def bound(bots: Sequence[Bot], given: list[str] | None, level: str) -> list[Bot]:
    """``bots``, whose sandboxes show the paths of --bind. Raises UsageError as :func:`binds`."""
    return [replace(bot, binds=binds(given, level)) for bot in bots]


def leads_somewhere(word: str) -> bool:
    """Whether a word is a path to something, be it in a bundle."""
    from schema import discovery
    from schema.errors import LogError

    try:
        discovery.resolve(Path(word))
    except LogError:
        return True
    except (UsageError, OSError, ValueError):  # no such place, or far too long for one
        return False
    return True


def paths_and_word(words: list[str]) -> tuple[list[Path], str | None]:
    """Paths, and the last word if it is no path that exists; a single word is always a path."""
    if len(words) > 1 and not leads_somewhere(words[-1]):
        return [Path(word) for word in words[:-1]], words[-1]
    return [Path(word) for word in words], None
