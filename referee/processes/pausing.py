"""Stop the processes of a bot that has answered, so that it takes no time from other bots."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from referee.processes.processor_time import Meter


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
        while new := set(meter.processes()) - known:
            opened = {}
            for pid in new:
                with suppress(OSError):
                    opened[pid] = os.pidfd_open(pid)
            alive = set(meter.processes())  # their numbers were not reused before the open
            for pid, descriptor in opened.items():
                if pid in alive:
                    with suppress(OSError):
                        signal.pidfd_send_signal(descriptor, signal.SIGSTOP)
                self.stopped.append(descriptor)
            known |= new

    def end(self, number: int) -> None:
        """Send SIGCONT or SIGKILL to the stopped processes."""
        for descriptor in self.stopped:
            with suppress(OSError):
                signal.pidfd_send_signal(descriptor, number)
            os.close(descriptor)
        self.stopped.clear()
