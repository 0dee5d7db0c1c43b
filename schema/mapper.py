"""Where independent work is done: here, in several processes, or on other machines.

Whoever has many matches or logs to work on takes a mapper, and the command hands it one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Mapper(Protocol):
    """What :func:`map` does, and anything that does the same elsewhere."""

    def __call__(self, function: Callable[[A], B], items: Iterable[A], /) -> Iterator[B]:
        """The results of ``function``, in the order of ``items``."""
        ...
