"""Arguments as callers give them, and errors as callers get them."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from types import UnionType
from typing import ParamSpec, TypeVar

from schema.errors import KothError, UsageError
from schema.log_path import printable

AnyPath = str | os.PathLike[str]
"""One path; it may lead into a bundle as into a folder."""

AnyPaths = AnyPath | Iterable[AnyPath]
"""One path, or several."""

PATH = "a str or os.PathLike"
"""The types of a path, in words."""

INTERRUPTED = "Query interrupted"
"""The message of DuckDB's RuntimeError in place of a KeyboardInterrupt."""

P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V")


def as_paths(paths: AnyPaths) -> list[Path]:
    """Return one path, or several, as a list.

    Raises TypeError for anything else, and UsageError for an empty list.
    """
    if isinstance(paths, str | bytes | os.PathLike) or not isinstance(paths, Iterable):
        return [as_path(paths)]
    several = [as_path(path) for path in paths]
    if not several:
        raise UsageError("paths: expected a log, a folder, a bundle or an archive, found none.")
    return several


def as_path(path: AnyPath, name: str = "path") -> Path:
    """Return a path. Raises TypeError for anything else, and UsageError for a text that is none.

    As a path, an empty text would be the current folder.
    """
    if not as_text(path, name):
        raise UsageError(f"{name}: expected a path, found an empty text.")
    return Path(path)


def as_text(path: AnyPath, name: str) -> str:
    """Return a path as text. Raises the errors of :func:`as_path`, but none for an empty text."""
    text = os.fspath(instance(path, str | os.PathLike, name, PATH))
    if "\0" in instance(text, str, name, PATH):
        raise UsageError(f"{name}: expected a path, found a text with a null character.")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise UsageError(f"{name}: expected a path, found a text with a surrogate.") from None
    return text


def as_int(number: int, name: str) -> int:
    """Return an integer, also one of NumPy's. Raises TypeError, which names the parameter."""
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"{name}: expected an int, found {type(number).__name__}") from None


def instance(value: V, kind: type | UnionType, name: str, expected: str) -> V:
    """Return ``value`` if it is of a type. Raises TypeError, which names the parameter."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected {expected}, found {type(value).__name__}")
    return value


def raises_koth_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Return ``function`` with a KothError in place of each OSError, such as a missing right.

    It passes a KeyboardInterrupt on, also one that DuckDB replaced.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except RuntimeError as error:
            if str(error) == INTERRUPTED:
                raise KeyboardInterrupt from error
            raise
        except OSError as error:
            place = printable(str(error.filename or "input or output"))
            raise KothError(f"{place}: {error.strerror or error}.") from error

    return call
