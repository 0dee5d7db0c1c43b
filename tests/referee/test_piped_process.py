"""The time of processes that are asked many times, while the referee itself has no processor."""

from __future__ import annotations

import os
import select
import time
from pathlib import Path

import pytest

from referee.bot import Bot
from referee.errors import RefereeError
from referee.pools import pool
from referee.processes.fork_client import ForkServer
from referee.processes.processor_time import Meter
from referee.protocols.line_process import Launch
from referee.protocols.piped_process import PipedProcess, attend
from tests.factories import SEED

LIMIT = 1.0


class Machine:
    """The time, and the seconds for which all processes have waited for a processor."""

    def __init__(self) -> None:
        self.now = self.waited = 0.0

    def is_busy(self, seconds: float) -> None:
        """Let time pass without a processor for anybody, the referee included."""
        self.now += seconds
        self.waited += seconds


class MachineMeter(Meter):
    """The waiting of a process since the meter's creation."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.before = machine, machine.waited
        self.computed = self.waited = self.unseen = 0.0

    def read(self) -> None:
        """Read the machine's number."""
        self.waited = self.machine.waited - self.before


class Process(PipedProcess):
    """A process that answers when the test says so."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(LIMIT)
        self.machine, self.fault = machine, ""

    def _meter(self) -> Meter:
        return MachineMeter(self.machine)

    def wait(self, end: float) -> None:
        """Let time pass, without an answer."""
        self.machine.now = end

    def stop(self) -> None:
        """Take long, as on a busy machine."""
        self.machine.is_busy(2 * LIMIT)

    def handle(self, descriptor: int) -> None:
        """Take the answer."""
        self.take_lines()

    def take_lines(self) -> None:
        """Take the answer."""
        self.waiting = False
        self.end_part()

    def fail(self, kind: str) -> None:
        """Keep the fault."""
        self.fault, self.waiting = kind, False


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return a machine whose time the test sets."""
    machine = Machine()
    monkeypatch.setattr(time, "monotonic", lambda: machine.now)
    return machine


@pytest.mark.parametrize("quick_parts", [0, 1])
def test_a_part_after_a_slow_one_is_measured_from_its_beginning(
    quick_parts: int, machine: Machine
) -> None:
    """On a busy machine a wait counts as such, also before the referee's first reading."""
    process = Process(machine)
    process.begin_part()
    machine.now += LIMIT / 2
    assert process.patience() > 0
    process.end_part()
    process.waiting = True
    process.begin_part()
    for _ in range(quick_parts):
        process.end_part()
    machine.is_busy(2 * LIMIT)
    assert process.patience() > 0
    machine.now += LIMIT
    assert process.patience() == 0


def test_a_process_at_work_is_measured_before_others_are_stopped(machine: Machine) -> None:
    """To stop the processes of others may take longer than the limit of one that waits."""
    worker = Process(machine)
    lines, answer = os.pipe()
    worker.waiting, worker.open = True, {lines: select.POLLIN}

    class LateAnswer(Process):
        """A process whose second stop is followed by the answer of the other one."""

        def stop(self) -> None:
            """Take long."""
            if self.machine.waited:
                os.write(answer, b"\n")
            super().stop()

    attend([LateAnswer(machine), worker])
    os.close(lines)
    os.close(answer)
    assert (worker.fault, worker.waited) == ("", 2 * LIMIT)


@pytest.mark.parametrize("isolation", ["process", "sandbox"])
def test_a_server_that_ended_before_the_start_blames_no_bot(
    isolation: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """If the server ends before it starts a bot, that is an error of the referee with its name."""
    if isolation == "sandbox":
        request.getfixturevalue("sandboxes")
    take = pool.take

    def ended(bot: Bot, isolation: str, cold: bool = False) -> ForkServer:
        server = take(bot, isolation, cold)
        server.process.kill()
        assert select.select([server.exited], [], [], 20)[0]
        return server

    monkeypatch.setattr(pool, "take", ended)
    launch = Launch(Bot("fox", ("true",), ()), SEED, isolation, LIMIT)
    with pytest.raises(RefereeError, match=r"^fox cannot be started: the process that starts it"):
        Process(Machine()).start(launch)


def await_sleep(server: ForkServer) -> None:
    """Wait until the bot runs: one that starts without its folder, which is removed, just fails."""
    while Path(f"/proc/{server.fork}/comm").read_text() != "sleep\n":
        time.sleep(0.01)


def test_an_interrupt_at_the_start_of_a_bot_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that may run already is not left to the next user of its server."""
    asked: list[ForkServer] = []
    ask = ForkServer.ask

    def interrupted(self: ForkServer, request: bytes, *pipes: int) -> None:
        ask(self, request, *pipes)
        asked.append(self)
        await_sleep(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(ForkServer, "ask", interrupted)
    launch = Launch(Bot("fox", ("sleep", "60"), ()), SEED, "process", LIMIT)
    with pytest.raises(KeyboardInterrupt):
        Process(Machine()).start(launch)
    assert asked[0].process.returncode is not None


def test_an_interrupt_at_the_end_of_a_bot_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the end of a bot is interrupted, its server ends, and no pipe stays open."""
    pool.close()
    before = len([*Path("/proc/self/fd").iterdir()])
    process = Process(Machine())
    process.start(Launch(Bot("fox", ("sleep", "60"), ()), SEED, "process", LIMIT))
    await_sleep(process.server)

    def interrupted(self: ForkServer) -> None:
        monkeypatch.undo()  # the bot is not killed yet, so its server cannot be used again
        raise KeyboardInterrupt

    monkeypatch.setattr(ForkServer, "kill", interrupted)
    with pytest.raises(KeyboardInterrupt):
        process.end()
    assert process.server.process.returncode is not None
    assert len([*Path("/proc/self/fd").iterdir()]) == before
