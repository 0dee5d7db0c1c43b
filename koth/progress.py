"""Progress of long work: a bar with rate and remaining time on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager

from schema.mapper import A, B, Mapper


def counted(each: Mapper, progress: Callable[[int, int], None]) -> Mapper:
    """``each``, telling ``progress`` of every result that it gives."""

    def counting(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
        listed = list(items)
        for done, result in enumerate(each(function, listed), 1):
            progress(done, len(listed))
            yield result

    return counting


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Shows (done, total) while the block runs; on standard error, and only on a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:.1f}/s" if task.speed else "…/s")

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
