"""The interface between a cluster and the work that it is given."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Protocol

from schema.executor import A, B


class Batches(Protocol):
    """A mapper that gives its results batch by batch, as they come back."""

    def __call__(
        self, function: Callable[[A], B], items: Iterable[A], /
    ) -> Generator[list[B], None, None]:
        """The results of ``function``, in the order of ``items``, one list a batch."""
        ...
