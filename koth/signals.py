"""The signals that end a command and its workers.

A terminal sends Ctrl-C (SIGINT) and, except on Windows, its own end (SIGHUP) to each process of a
command. Only the first process decides what happens then.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

FROM_TERMINAL = [signal.SIGINT]
if sys.platform != "win32":
    FROM_TERMINAL.append(signal.SIGHUP)

ENDING = [*FROM_TERMINAL, signal.SIGTERM]
"""All signals that end a command."""


def block(numbers: Sequence[signal.Signals]) -> None:
    """Block signals in this thread, and in the processes that it starts."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, numbers)


def unblock(numbers: Sequence[signal.Signals]) -> None:
    """Let signals arrive; those that were sent meanwhile arrive now."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)


def ignore(numbers: Sequence[signal.Signals]) -> None:
    """Ignore signals in this process."""
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)
