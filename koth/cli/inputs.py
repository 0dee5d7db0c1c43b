"""Convert the words of the command line to values for the other packages."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from koth.cli.output import note
from schema import seal
from schema.errors import LogError, UsageError
from schema.files import first_line, require_folder_of


def warn(sentences: Iterable[str]) -> None:
    """Print each sentence as a line on standard error."""
    for sentence in sentences:
        note(sentence)


def warn_without_logs(paths: list[Path]) -> None:
    """Print each folder among ``paths`` that has no log, if another path has one."""
    from schema.discovery import without_logs

    if len(paths) > 1 and len(empty := without_logs(paths)) < len(paths):
        warn(f"{path}: expected a log (*.jsonl), found none." for path in empty)


def seed(word: str | None) -> str:
    """Return a seed of 64 hex digits: ``word`` with leading zeros, or a random one.

    Warns of a short seed. Raises UsageError if ``word`` is not 1 to 64 hex digits.
    """
    if word is None:
        return secrets.token_hex(32)
    seed = seal.full_seed(word, "--seed")
    if len(word) < seal.TYPED_DIGITS or seal.significant_digits(seed) < seal.MIN_DIGITS:
        few = f"fewer than {seal.TYPED_DIGITS} hex digits"
        if len(word) >= seal.TYPED_DIGITS:
            few = f"fewer than {seal.MIN_DIGITS} hex digits after its zeros"
        problem = f"a bot can guess a seed of {few}, and all dice"
        note(f"--seed {word}: {problem}. Use it only for examples.")
    return seed


def tournament_name(word: str | None) -> str | None:
    """Return the id of a tournament. Raises UsageError if it is too long or not printable."""
    if word is not None and not (word.isprintable() and 1 <= len(word) <= 64):
        raise UsageError(f"--name: expected 1 to 64 printable characters, found {word!r}.")
    return word


def check_new_file(output: Path) -> None:
    """Check that ``-o`` names a new file in a folder. Raises UsageError."""
    if os.path.lexists(output):
        raise UsageError(f"-o {output}: this path already exists; expected a new file.")
    require_folder_of(output)


def settings(words: list[str] | None) -> dict[str, object]:
    """Return ``KEY=VALUE`` words as a dictionary of strings. Raises UsageError."""
    values: dict[str, object] = {}
    for word in words or []:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UsageError(f"--set: expected KEY=VALUE, found '{word}'.")
        values[key] = value
    return values


def is_path(word: str) -> bool:
    """Return whether a word is an existing path, also inside a bundle."""
    from schema import discovery

    try:
        discovery.resolve(Path(word))
    except LogError:
        return True
    except (UsageError, OSError, ValueError):  # no such path, or too long for one
        return False
    return True


def paths_and_word(words: list[str]) -> tuple[list[Path], str | None]:
    """Return paths, and the last word if it does not lead to logs; one word is always a path.

    The name of a bot is also that of its folder, or of its file without a suffix. The name of a
    table is also that of the folder ``evidence``, and of ``matches`` and ``stages``, which are read
    already if the folder around them is given.
    """
    *paths, last = [Path(word) for word in words]
    if paths and not _leads_to_logs(words[-1], paths):
        return paths, words[-1]
    return [*paths, last], None


def _leads_to_logs(word: str, others: list[Path]) -> bool:
    from schema.discovery import EVIDENCE, MATCHES, STAGES, without_logs

    path = Path(word)
    if not is_path(word) or word == EVIDENCE:
        return False
    if word in (MATCHES, STAGES) and Path() in others:
        return False
    if path.is_file() and not path.suffix:
        return first_line(path).startswith(b"{")
    return not without_logs([path])
