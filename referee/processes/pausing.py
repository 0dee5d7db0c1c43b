"""Stops the processes of a bot that has answered, so that it takes no time from the others."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from referee.processes.processor_time import Meter


class Pause:
    """A time in which the processes of a bot are stopped."""

    def __init__(self) -> None:
        self.happened = False
        """Whether the bot was ever stopped."""
        self.stopped: list[int] = []
        """Descriptors of the processes that are stopped."""

    def begin(self, meter: Meter) -> None:
        """Stop all processes that ``meter`` measures, unless they are stopped already."""
        if self.stopped:
            return
        self.happened = True
        known: set[int] = set()
        while new := set(meter.processes()) - known:
            held = {}
            for pid in new:
                with suppress(OSError):
                    held[pid] = os.pidfd_open(pid)
            still = set(meter.processes())  # the number of none that it was opened by is another's
            for pid, descriptor in held.items():
                if pid in still:
                    with suppress(OSError):
                        signal.pidfd_send_signal(descriptor, signal.SIGSTOP)
                self.stopped.append(descriptor)
            known |= new

    def end(self, number: int) -> None:
        """Send a signal to the processes that are stopped: SIGCONT or SIGKILL."""
        for descriptor in self.stopped:
            with suppress(OSError):
                signal.pidfd_send_signal(descriptor, number)
            os.close(descriptor)
        self.stopped.clear()
