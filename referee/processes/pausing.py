"""Stop the processes of a bot that has answered, so that it takes no time from other bots."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

from referee.processes.processor_time import Meter, is_child

LONGEST = 0.1
"""Seconds after which no more processes are stopped: a bot may start others all the time."""


class Pause:
    """The processes of a bot that are stopped until it is asked again."""

    def __init__(self) -> None:
        self.happened = False
        """Whether the bot was ever stopped."""
        self.stopped: list[int] = []
        """Descriptors (pidfd) of the stopped processes."""

    def begin(self, meter: Meter) -> None:
        """Stop all processes that ``meter`` measures."""
        self.happened = True
        known: set[int] = set()
        end = time.monotonic() + LONGEST
        while self._stop_new(meter, known) and time.monotonic() < end:
            pass

    def _stop_new(self, meter: Meter, known: set[int]) -> bool:
        """Stop each process as soon as it is found, and add it to ``known``. Return whether any is.

        A process that starts others, and ends, is not there any more after a longer look around.
        """
        more = False
        for pid, parent in meter.walk():
            if pid not in known:
                more = True
                with suppress(OSError):
                    self.stopped.append(os.pidfd_open(pid))
                    # It has that parent, or its number was reused before the open.
                    if parent == 0 or is_child(pid, parent):
                        signal.pidfd_send_signal(self.stopped[-1], signal.SIGSTOP)
                        known.add(pid)
                    else:
                        os.close(self.stopped.pop())
        return more

    def end(self, number: int) -> None:
        """Send SIGCONT or SIGKILL to the stopped processes."""
        for descriptor in self.stopped:
            with suppress(OSError):
                signal.pidfd_send_signal(descriptor, number)
            os.close(descriptor)
        self.stopped.clear()
