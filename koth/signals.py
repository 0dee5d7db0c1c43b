"""The signals that a terminal sends to each process of a command, of which only the first decides.

They are Ctrl-C (SIGINT) and, except on Windows, the end of the terminal (SIGHUP).
"""

from __future__ import annotations

import signal
import sys

FROM_TERMINAL = [signal.SIGINT]
if sys.platform != "win32":
    FROM_TERMINAL.append(signal.SIGHUP)


def block() -> None:
    """Block these signals in this thread, and in the processes that it starts."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, FROM_TERMINAL)


def unblock() -> None:
    """Let these signals arrive; those that were sent meanwhile arrive now."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, FROM_TERMINAL)


def ignore() -> None:
    """Ignore these signals in a worker process that was started while they were blocked."""
    for number in FROM_TERMINAL:
        signal.signal(number, signal.SIG_IGN)
    unblock()
