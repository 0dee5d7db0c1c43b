"""Progress of long work on standard error: a bar on a terminal, otherwise a line at times."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from koth.cli import terminal
from schema.executor import Progress
from schema.log_path import printable

LINE_SECONDS = 10.0
"""Seconds between two lines where there is no bar."""

MIN_RESULTS = 3
"""Minimum results for a rate."""

WINDOW = 30.0
"""Seconds over which a rate is measured."""


class Work:
    """The amount and the rate of finished work."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.done = self.total = 0
        self.begun = clock()
        self.samples = deque([(self.begun, 0)])
        """Times and amounts, one per second, over ``WINDOW`` or at least ``MIN_RESULTS``."""

    def update(self, done: int, total: int) -> None:
        """Record the number of finished results."""
        self.done, self.total = done, total
        now = self.clock()
        if now - self.samples[-1][0] >= 1:
            self.samples.append((now, done))
        while now - self.samples[0][0] > WINDOW and done - self.samples[1][1] >= MIN_RESULTS:
            self.samples.popleft()

    @property
    def rate(self) -> float:
        """Recent results per second; 0 if there are too few."""
        start, done = self.samples[0]
        seconds, results = self.clock() - start, self.done - done
        return results / seconds if results >= MIN_RESULTS and seconds >= 1 else 0.0

    def __str__(self) -> str:
        """The amount, the rate and the remaining time, as far as they are known."""
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
    """Return hours, minutes and seconds as text; at least one second."""
    return str(timedelta(seconds=max(1, round(seconds))))


def _rate(rate: float) -> str:
    """Return results per second, or per minute if slower, as text."""
    if rate < 1:
        return f"{60 * rate:.0f}/min" if rate >= 1 / 60 else "less than 1/min"
    return f"{rate:.1f}/s" if rate < 10 else f"{rate:.0f}/s"


@contextmanager
def bar(title: str, work: Work | None = None) -> Iterator[Progress]:
    """Yield a function of (done, total) that shows progress on standard error.

    It is a bar on a terminal with a cursor, otherwise a line every ten seconds. ``work`` has the
    text.
    """
    display = _bar if terminal.has_cursor(sys.stderr) else _lines
    with display(printable(title), work or Work()) as update:
        yield update


@contextmanager
def _lines(title: str, work: Work) -> Iterator[Progress]:
    stop = threading.Event()

    def print_lines() -> None:
        with suppress(OSError, ValueError):  # standard error is closed
            while not stop.wait(LINE_SECONDS):
                print(f"koth: {title}: {work}", file=sys.stderr, flush=True)

    thread = threading.Thread(target=print_lines, daemon=True)
    thread.start()
    try:
        yield work.update
    finally:
        stop.set()
        thread.join()


@contextmanager
def _bar(title: str, work: Work) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
    from rich.progress import Progress as Rich
    from rich.table import Column
    from rich.text import Text

    class WorkColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(str(work))

    console = Console(file=terminal.raw(sys.stderr))
    # In a narrow terminal the bar shrinks; the text stays in one line.
    columns = (
        TextColumn(title, markup=False, table_column=Column(no_wrap=True)),
        BarColumn(),
        WorkColumn(Column(no_wrap=True)),
    )
    with Rich(*columns, console=console, transient=True) as display:
        task = display.add_task(title, total=None)

        def update(done: int, total: int) -> None:
            work.update(done, total)
            display.update(task, completed=done, total=total or None)

        # The library prints other output above the bar.
        with terminal.escaping_both():
            yield update
