"""All processes of a bot are stopped while others think."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.processes import pausing, processor_time
from referee.processes.pausing import Pause
from referee.processes.processor_time import Meter

ALWAYS_ANOTHER = """import ctypes, os, signal, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(10):
    if os.fork() == 0:
        while True: time.sleep(60)
if os.fork() == 0:
    while True:
        time.sleep(0.001)
        if os.fork(): os._exit(0)
print(flush=True)
time.sleep(60)
"""


def state(pid: int) -> str:
    """The state of a process: T if it is stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_a_process_that_is_not_the_bots_is_not_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has got the number of a bot's child is neither stopped nor killed."""
    monkeypatch.setattr(pausing, "LONGEST", 0)
    with subprocess.Popen(["sleep", "60"]) as stranger:
        monkeypatch.setattr(Meter, "walk", lambda meter: iter([(stranger.pid, 1)]))
        pause = Pause()
        pause.begin(Meter(0))
        assert pause.stopped == []
        pause.end(signal.SIGKILL)
        assert state(stranger.pid) in "RS"
        stranger.kill()


def test_a_process_that_is_always_another_one_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that starts another one and ends is stopped, however many others there are."""
    children = processor_time._children

    def slowly(pid: int) -> Iterator[int]:
        time.sleep(0.002)  # as if each had many threads
        return children(pid)

    monkeypatch.setattr(processor_time, "_children", slowly)
    monkeypatch.setattr(pausing, "LONGEST", 10)  # a busy machine takes long for a few searches
    walks = 0
    walk = Meter.walk

    def counted(meter: Meter) -> Iterator[tuple[int, int]]:
        nonlocal walks
        walks += 1
        return walk(meter)

    command = [sys.executable, "-c", ALWAYS_ANOTHER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as bot:
        assert bot.stdout is not None
        bot.stdout.readline()
        meter, pause = Meter(bot.pid), Pause()
        try:
            for _ in range(5):
                walks = 0
                with monkeypatch.context() as patch:
                    patch.setattr(Meter, "walk", counted)
                    pause.begin(meter)
                assert walks <= 10
                time.sleep(0.01)  # the last one may be about to end
                processes = meter.processes()
                time.sleep(0.01)
                assert meter.processes() == processes
                assert len(processes) >= 12  # the others may be about to end
                assert {state(pid) for pid in processes} == {"T"}
                pause.end(signal.SIGCONT)
        finally:
            os.killpg(bot.pid, signal.SIGKILL)
            pause.end(signal.SIGKILL)
