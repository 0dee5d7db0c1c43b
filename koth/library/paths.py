"""Paths as callers give them, and errors as callers get them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from schema.errors import KothError
from schema.log_path import printable

AnyPath = str | os.PathLike[str]
"""One path; it may lead into a bundle as into a folder."""

AnyPaths = AnyPath | Iterable[AnyPath]
"""One path, or several."""

P = ParamSpec("P")
R = TypeVar("R")


def as_paths(paths: AnyPaths) -> list[Path]:
    """Return one path, or several, as a list. Raises TypeError for anything else."""
    return [Path(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]


def raises_koth_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Return ``function`` with a KothError in place of each OSError, such as a missing right."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except OSError as error:
            place = printable(str(error.filename or "input or output"))
            raise KothError(f"{place}: {error.strerror or error}.") from error

    return call
