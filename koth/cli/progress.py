"""Progress of long work on standard error: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from datetime import timedelta

from koth.cli import terminal
from schema.executor import Progress
from schema.log_path import printable

SILENT = 10.0
"""Seconds between two lines where standard error is no terminal; work that is shorter has none."""

FEW = 3
"""Results from which on a rate says something."""

WINDOW = 30.0
"""Seconds that a rate is about."""


class Work:
    """Work that goes on: how much of it is done, and how fast."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.done = self.total = 0
        self.begun = clock()
        self.samples = deque([(self.begun, 0)])
        """How much was done when, once a second: in the last ``WINDOW`` seconds, or ``FEW`` ago."""

    def update(self, done: int, total: int) -> None:
        """Note how much is done."""
        self.done, self.total = done, total
        now = self.clock()
        if now - self.samples[-1][0] >= 1:
            self.samples.append((now, done))
        while now - self.samples[0][0] > WINDOW and done - self.samples[1][1] >= FEW:
            self.samples.popleft()

    @property
    def rate(self) -> float:
        """Results a second of late; 0 where too few are there to tell."""
        then, done = self.samples[0]
        seconds = self.clock() - then
        return (self.done - done) / seconds if self.done - done >= FEW and seconds >= 1 else 0.0

    def __str__(self) -> str:
        """How much is done, how fast, and how long it will take: as far as that is known."""
        elapsed = self.clock() - self.begun
        parts = [f"{self.done} of {self.total}"] if self.total else []
        if self.total and self.done >= self.total:
            parts.append("finishing")
        if self.done < self.total and (rate := self.rate):
            parts += [_rate(rate), f"about {_time((self.total - self.done) / rate)} left"]
        elif elapsed >= 1:
            parts.append(f"{_time(elapsed)} so far")
        return ", ".join(parts)


def _time(seconds: float) -> str:
    """Hours, minutes and seconds; at least one of them, for it is not over."""
    return str(timedelta(seconds=max(1, round(seconds))))


def _rate(rate: float) -> str:
    """Results a second, or a minute where those are few."""
    if rate < 1:
        return f"{60 * rate:.0f}/min" if rate >= 1 / 60 else "less than 1/min"
    return f"{rate:.1f}/s" if rate < 10 else f"{rate:.0f}/s"


@contextmanager
def bar(what: str) -> Iterator[Progress]:
    """Show (done, total) on standard error while the block runs.

    On a terminal as a bar, elsewhere as a line every ten seconds.
    """
    shown = _bar if sys.stderr.isatty() else _lines
    with shown(printable(what), Work()) as update:
        yield update


@contextmanager
def _lines(what: str, work: Work) -> Iterator[Progress]:
    over = threading.Event()

    def tell() -> None:
        with suppress(OSError, ValueError):  # nobody reads it any more
            while not over.wait(SILENT):
                print(f"koth: {what}: {work}", file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield work.update
    finally:
        over.set()
        teller.join()


@contextmanager
def _bar(what: str, work: Work) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
    from rich.progress import Progress as Rich
    from rich.text import Text

    class Told(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(str(work))

    console = Console(file=terminal.raw(sys.stderr))
    shown = Rich(
        TextColumn(what, markup=False), BarColumn(), Told(), console=console, transient=True
    )
    with shown:
        task = shown.add_task(what, total=None)

        def update(done: int, total: int) -> None:
            work.update(done, total)
            shown.update(task, completed=done, total=total or None)

        # What is printed in between goes through the library, above the bar.
        with (
            redirect_stdout(terminal.escaping(sys.stdout)),
            redirect_stderr(terminal.escaping(sys.stderr)),
        ):
            yield update
