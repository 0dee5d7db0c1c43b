"""Mappers run independent work: in this process, in several, or on other machines.

Code that processes many matches or logs takes a mapper as a parameter; the command chooses it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Mapper(Protocol):
    """A function with the signature and the results of :func:`serial`."""

    def __call__(
        self, function: Callable[[A], B], items: Iterable[A], /
    ) -> Generator[B, None, None]:
        """Yield the results of ``function`` in the order of ``items``.

        Closing the generator stops the work.
        """
        ...


def serial(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
    """Yield the results in this process; each is computed when the caller takes it."""
    for item in items:
        yield function(item)


Progress = Callable[[int, int], None]
"""Called with the number of results so far, and the expected total, or 0 if it is not known."""


def with_progress(mapper: Mapper, progress: Progress) -> Mapper:
    """Return a mapper that calls ``progress`` after each result of ``mapper``."""

    def with_calls(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
        inputs = list(items)
        for done, result in enumerate(mapper(function, inputs), 1):
            progress(done, len(inputs))
            yield result

    return with_calls
