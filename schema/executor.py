"""Where independent work is done: here, in several processes, or on other machines.

Whoever has many matches or logs to work on takes a mapper, and the command hands it one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Mapper(Protocol):
    """What :func:`serial` does, and anything that does the same elsewhere."""

    def __call__(
        self, function: Callable[[A], B], items: Iterable[A], /
    ) -> Generator[B, None, None]:
        """The results of ``function``, in the order of ``items``.

        Closing it ends the work: after that nothing more is begun, and nothing goes on.
        """
        ...


def serial(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
    """One after the other, right here, when the result is asked for."""
    for item in items:
        yield function(item)


Progress = Callable[[int, int], None]
"""Called with how many results there are and how many there will be; 0 if that is not known."""


def with_progress(each: Mapper, progress: Progress) -> Mapper:
    """Return a mapper that does what ``each`` does, and calls ``progress`` after each result."""

    def mapper(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
        listed = list(items)
        for done, result in enumerate(each(function, listed), 1):
            progress(done, len(listed))
            yield result

    return mapper
