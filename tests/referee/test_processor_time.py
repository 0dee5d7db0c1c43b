"""Time limits count the time that a bot used, not the time that others took from it.

The tests of a file run one after the other. These must: they keep the same processor busy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.bot import Bot, BotFile
from referee.environment import NO_SEED
from referee.processes import processor_time
from referee.processes.processor_time import MAX_WALL_FACTOR, Meter, Watch, number_of, used
from referee.protocols import workspace
from tests.referee.test_limits import LIMIT, seating, skip_without
from tests.sampling import sampled

SPIN = "echo; while :; do :; done"
COMPUTE = "import time\nwhile time.process_time() < 0.2: pass"
CHILD = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {COMPUTE!r}])"

seconds = st.floats(0, 100)


@given(seconds, seconds, seconds)
def test_time_used_is_at_most_wall_clock_time_and_at_least_what_was_computed(
    wall: float, computed: float, waited: float
) -> None:
    """The time used is at least the processor time and at most the wall-clock time."""
    assert min(wall, computed) <= used(wall, computed, waited) <= wall


@given(seconds, seconds)
def test_a_bot_that_never_waited_has_used_wall_clock_time(wall: float, computed: float) -> None:
    """Without waiting, or without statistics of it, wall-clock time counts."""
    assert used(wall, computed, 0.0) == wall


@given(seconds, seconds, seconds)
def test_a_bot_that_keeps_a_processor_busy_gains_nothing_by_waiting(
    wall: float, more: float, waited: float
) -> None:
    """A bot that computes all the time has used all the time, however long its threads waited."""
    assert used(wall, wall + more, waited) == wall


class Clock:
    """A clock that the test sets, and a meter that the test fills."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.computed = self.waited = self.unseen = 0.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)

    def read(self) -> None:
        """Read nothing: the test sets the values."""


def test_a_watch_lets_a_bot_go_on_that_waited_for_a_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bot is too slow once its own time exceeds the limit, and not before."""
    clock = Clock(monkeypatch)
    watch = Watch(1.0, lambda: clock)  # type: ignore[arg-type, return-value]
    clock.now, clock.computed, clock.waited = 3.0, 0.25, 2.5
    assert watch.patience() > 0
    clock.now = 3.5
    assert watch.patience() == 0


def test_a_watch_ends_whatever_was_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot's wall-clock time is at most a fixed multiple of its limit."""
    clock = Clock(monkeypatch)
    watch = Watch(1.0, lambda: clock)  # type: ignore[arg-type, return-value]
    clock.now = clock.waited = MAX_WALL_FACTOR - 0.1
    assert watch.patience() > 0
    clock.now = clock.waited = MAX_WALL_FACTOR
    assert watch.patience() == 0


@contextmanager
def on_one_processor(stack: ExitStack, spinning: int) -> Iterator[None]:
    """Start the block's processes on one processor; others spin there until ``stack`` closes."""
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(processors)})
    try:
        for _ in range(spinning):
            spinner = stack.enter_context(
                subprocess.Popen(["sh", "-c", SPIN], stdout=subprocess.PIPE, start_new_session=True)
            )
            stack.callback(spinner.kill)
            assert spinner.stdout is not None
            spinner.stdout.readline()  # it spins from now on
        yield
    finally:
        os.sched_setaffinity(0, processors)


@pytest.mark.parametrize("program", [COMPUTE, CHILD], ids=["itself", "its_child"])
def test_waiting_for_a_busy_processor_is_measured(program: str) -> None:
    """A process's waiting and computing are measured, and so are those of its child."""
    with ExitStack() as stack:
        with on_one_processor(stack, spinning=4):
            bot = stack.enter_context(subprocess.Popen([sys.executable, "-c", program]))
        meter, pidfd = Meter(bot.pid), os.pidfd_open(bot.pid)
        watch = Watch(30.0, lambda: meter)
        while os.waitid(os.P_PID, bot.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            time.sleep(watch.patience())
        meter.read()
        assert number_of(pidfd) == bot.pid
        os.close(pidfd)
    if meter.waited == 0:
        pytest.skip("this kernel has no statistics of run queues")
    assert meter.computed > 0.04
    assert meter.waited > meter.computed


NOBODY_WAITS = """import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(4):
    if os.fork() == 0:
        while time.process_time() < 0.1: pass
        os._exit(0)
    try:
        os.wait()
    except ChildProcessError:
        pass
"""


def test_children_that_nobody_waits_for_have_computed() -> None:
    """The processor time of children counts, even if no parent waits for them."""
    with subprocess.Popen([sys.executable, "-c", NOBODY_WAITS]) as bot:
        meter = Meter(bot.pid)
        while os.waitid(os.P_PID, bot.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            meter.read()
    assert meter.computed > 0.2


PASSED_ON = """import ctypes, os, signal, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
over = time.monotonic() + 0.8
if os.fork() == 0:
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    while time.monotonic() < over: pass
elif os.fork() == 0:
    while time.monotonic() < over:
        while time.process_time() < 0.002: pass
        if os.fork(): os._exit(0)
else:
    time.sleep(0.8)
"""


def test_a_bot_gains_nothing_by_children_that_no_reading_sees() -> None:
    """The time in which children that nobody waits for may have computed unseen counts."""
    # Other programs that keep its processor busy may make it wait indeed, but not every time.
    assert any(share_used(PASSED_ON) > 0.8 for _ in range(5))


def share_used(source: str) -> float:
    """Return the share of the time in which a bot ran that counts against its limit."""
    with subprocess.Popen([sys.executable, "-c", source]) as bot:
        meter, begun = Meter(bot.pid), time.monotonic()
        while os.waitid(os.P_PID, bot.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            time.sleep(0.02)
            meter.read()
        wall = time.monotonic() - begun
    return used(wall, meter.computed + meter.unseen, meter.waited) / wall


CHILDREN = "i=0; while [ $i -lt 100 ]; do i=$(expr $i + 1); done"
NESTED = "i=0; while [ $i -lt 40 ]; do i=$(sh -c \"sh -c 'expr $i + 1; true'; true\"); done"


@pytest.mark.parametrize("program", [CHILDREN, NESTED], ids=["children", "grandchildren"])
def test_children_that_are_waited_for_do_not_compute_unseen(program: str) -> None:
    """A shell that starts many programs pays for no more than what they compute."""
    with subprocess.Popen(["sh", "-c", program]) as bot:
        meter, begun = Meter(bot.pid), time.monotonic()
        while os.waitid(os.P_PID, bot.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            time.sleep(0.02)
            meter.read()
        wall = time.monotonic() - begun
    assert meter.unseen < 0.5 * wall


def test_sleep_before_a_thread_waits_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sleep before a thread became runnable does not count as waiting."""
    clock, runnable = Clock(monkeypatch), iter([False, True, True])
    monkeypatch.setattr(Meter, "processes", lambda self: [1])
    monkeypatch.setattr(processor_time, "_threads", lambda pid: [1])
    monkeypatch.setattr(processor_time, "_text", lambda path: "0 0 1")
    monkeypatch.setattr(processor_time, "_is_runnable", lambda pid, thread: next(runnable))
    meter = Meter(1)
    waited = []
    for clock.now in (5.0, 5.5, 6.0):
        meter.read()
        waited.append(meter.waited)
    assert waited == [0.0, 0.5, 1.0]


def readings(monkeypatch: pytest.MonkeyPatch, threads: int, *texts: str) -> list[float]:
    """Return the seconds waited that a meter reads from these texts, one per second."""
    clock = Clock(monkeypatch)
    monkeypatch.setattr(Meter, "processes", lambda self: [1])
    monkeypatch.setattr(processor_time, "_threads", lambda pid: [*range(threads)])
    monkeypatch.setattr(processor_time, "_is_runnable", lambda pid, thread: True)
    monkeypatch.setattr(processor_time, "_text", lambda path: texts[int(clock.now)])
    meter, waited = Meter(1), []
    for clock.now in map(float, range(1, len(texts))):
        meter.read()
        waited.append(round(meter.waited, 3))
    return waited


def test_threads_that_wait_for_each_other_do_not_pay_for_sleep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If eight threads wait for a tenth of a second together, a tenth of a second counts."""
    second = "0 0 1", "1 100000000 2", "2 200000000 3"
    assert readings(monkeypatch, 8, *second) == [0.1, 0.2]


def test_a_thread_that_runs_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that ran all the time has not waited."""
    assert readings(monkeypatch, 1, "0 0 1", "1000000000 0 1", "2000000000 0 1") == [0, 0]


def test_a_delay_that_began_before_the_last_reading_counts_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A delay counts in full when the kernel adds it, but never more than the whole time."""
    waits = "0 0 1", "100000000 0 1", "200000000 1500000000 2"
    assert readings(monkeypatch, 1, *waits) == [0, 1.5]
    waits = "0 0 1", "100000000 0 1", "200000000 9000000000 2"
    assert readings(monkeypatch, 1, *waits) == [0, 2]


def test_threads_that_have_ended_make_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that starts one thread after another has waited as long as all of them."""
    clock = Clock(monkeypatch)
    nobody = 1 << 23  # beyond the numbers of processes
    monkeypatch.setattr(Meter, "processes", lambda self: [1])
    monkeypatch.setattr(processor_time, "_threads", lambda pid: [nobody + int(clock.now)])
    monkeypatch.setattr(processor_time, "_is_runnable", lambda pid, thread: True)
    monkeypatch.setattr(processor_time, "_text", lambda path: "0 500000000 2")
    meter = Meter(1)
    for clock.now in map(float, range(1, 601)):
        meter.read()
    assert meter.waited == 300.0


def test_a_process_that_sleeps_waits_for_no_processor() -> None:
    """Sleep counts as time that the bot used."""
    with subprocess.Popen(["sleep", "60"]) as bot:
        while _state(bot.pid) != "S":
            pass
        meter = Meter(bot.pid)
        time.sleep(0.1)
        meter.read()
        bot.kill()
    assert meter.waited == 0


def test_a_meter_of_a_process_that_is_gone_reads_nothing() -> None:
    """A process may end at any moment without an error in its meter."""
    with subprocess.Popen(["true"]) as bot:
        pidfd = os.pidfd_open(bot.pid)
        meter = Meter(bot.pid)
    meter.read()
    assert meter.computed == Meter(bot.pid).computed == 0
    assert number_of(pidfd) == 0
    nobody = Meter(number_of(pidfd))
    nobody.read()
    assert (nobody.computed, nobody.waited) == (0, 0)
    os.close(pidfd)


def _state(pid: int) -> str:
    return processor_time._stat(f"/proc/{pid}/stat")[0]


COMPUTES = """
import os, sys, time
def compute(seconds):
    while time.process_time() < seconds: pass
if sys.argv[1] == "itself":
    compute(0.25)
elif sys.argv[1] == "its_children":
    for _ in range(3):
        if child := os.fork(): os.waitpid(child, 0)
        else: compute(0.08); os._exit(0)
print("done")
"""


@pytest.mark.parametrize(
    ("level", "who"),
    sampled(
        {
            f"{level}-{who}": (level, who)
            for level in ("process", "sandbox")
            for who in ("itself", "its_children")
        },
        ["process-itself", "sandbox-its_children"],
    ),
)
def test_a_bot_is_not_too_slow_because_of_others(level: str, who: str) -> None:
    """A bot that needs less time than its limit is in time, even on a busy machine."""
    skip_without(level)
    content = BotFile(COMPUTES.encode(), executable=False)
    patient = Bot("patient", ("python3", "main.py"), (("main.py", content),))
    others = 4
    with ExitStack() as stack:
        with on_one_processor(stack, spinning=others):
            place = stack.enter_context(workspace.open_workspace(patient, seating(level)))
            place.run(NO_SEED, ["nobody"])  # the helper remains on that processor
        while (outcome := place.run(NO_SEED, [who])).seconds < LIMIT and others < 8:
            with on_one_processor(stack, spinning=2):
                others += 2  # those there left the bot the processor
    if outcome.waited == 0:
        pytest.skip("this kernel has no statistics of run queues")
    if outcome.seconds < LIMIT:
        pytest.skip("this machine leaves a bot the processor, however busy it is")
    if outcome.seconds >= MAX_WALL_FACTOR * LIMIT:
        pytest.skip("this machine is too busy to tell")
    assert (outcome.timed_out, outcome.exit, outcome.output) == (False, 0, b"done\n")
    assert outcome.computed > 0.2
