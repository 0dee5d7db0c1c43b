"""Limits are in force before a bot runs, and the evidence names them."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.bot import Bot, BotFile
from referee.environment import NO_SEED
from referee.pools import pool
from referee.processes import limits
from referee.protocols import workspace
from referee.protocols.base import Seating
from referee.sandbox import sandbox
from tests.factories import SEED

LIMIT = 0.8
KINDS = (
    resource.RLIMIT_AS,
    resource.RLIMIT_CPU,
    resource.RLIMIT_FSIZE,
    resource.RLIMIT_NOFILE,
    resource.RLIMIT_CORE,
)

COUNT = len(KINDS)
FORKS_AT_ONCE = f"""
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int kinds[] = {{{", ".join(map(str, KINDS))}}};
__attribute__((constructor)) static void at_once(void) {{
    struct rlimit found[{COUNT}];
    if (fork()) {{ wait(0); _exit(0); }}
    for (int i = 0; i < {COUNT}; i++) getrlimit(kinds[i], &found[i]);
    for (int i = 0; i < {COUNT}; i++) printf("%ld ", (long) found[i].rlim_max);
    fflush(stdout);
    _exit(0);
}}
int main(void) {{ return 1; }}
"""
"""A program whose child prints the limits that it had from its first instruction."""


def seating(level: str) -> Seating:
    """Return a match at that level."""
    return Seating((), SEED, "match", LIMIT, True, level)


def skip_without(level: str) -> None:
    """Skip the test where there are no sandboxes."""
    if level == "sandbox" and (unavailable_reason := sandbox.unavailable_reason()):
        pytest.skip(unavailable_reason)


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> Iterator[None]:
    yield
    pool.close()


@pytest.mark.parametrize("level", ["process", "sandbox"])
def test_a_program_that_forks_at_once_has_its_limits(level: str, tmp_path: Path) -> None:
    """Limits are set before a program begins, so that its children have them too."""
    skip_without(level)
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (tmp_path / "early.c").write_text(FORKS_AT_ONCE)
    subprocess.run([compiler, "-o", tmp_path / "early", tmp_path / "early.c"], check=True)
    content = BotFile((tmp_path / "early").read_bytes(), executable=True)
    early = Bot("early", ("./early",), (("early", content),))
    kinds = limits.by_process(level) | {resource.RLIMIT_CPU: limits.cpu_seconds(LIMIT)}
    expected = [kinds[kind] for kind in KINDS]
    with workspace.open_workspace(early, seating(level)) as place:
        for _ in range(10):
            outcome = place.run(NO_SEED, [])
            assert list(map(int, outcome.output.split())) == expected


TABLE = {
    "process": {
        resource.RLIMIT_AS: 4 << 30,
        resource.RLIMIT_FSIZE: 64 << 20,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CORE: 1,
        resource.RLIMIT_RTPRIO: 0,
        resource.RLIMIT_NICE: 0,
    },
    "sandbox": {
        resource.RLIMIT_NPROC: 64,
        resource.RLIMIT_SIGPENDING: 64,
        resource.RLIMIT_MEMLOCK: 64 << 10,
        limits.RLIMIT_MSGQUEUE: 0,
    },
}
"""The limits of docs/isolation.md; in a sandbox all of them."""


@pytest.mark.parametrize("level", TABLE)
def test_a_bot_finds_each_limit(level: str) -> None:
    """A bot has all limits that the documentation promises, or lower ones of the referee."""
    skip_without(level)
    code = "import resource\nprint(*(resource.getrlimit(kind)[1] for kind in range(16)))"
    curious = Bot("curious", ("python3", "main.py"), (("main.py", BotFile(code.encode(), False)),))
    with workspace.open_workspace(curious, seating(level)) as place:
        actual = [*map(int, place.run(NO_SEED, []).output.split())]
    for kind, limit in (TABLE["process"] | TABLE[level]).items():
        own = resource.getrlimit(kind)[1]
        assert actual[kind] == (limit if own == resource.RLIM_INFINITY else min(limit, own)), kind


FORKS = """
import os, time
made = 0
try:
    while made < 200:
        if os.fork() == 0: time.sleep(600)
        made += 1
except BlockingIOError: pass
print(made, flush=True)
"""


def test_a_bot_gets_all_its_processes() -> None:
    """A control group of a sandbox has room for the processes that its own limit allows."""
    skip_without("sandbox")
    many = Bot("many", ("python3", "main.py"), (("main.py", BotFile(FORKS.encode(), False)),))
    with workspace.open_workspace(many, seating("sandbox")) as place:
        made = int(place.run(NO_SEED, []).output)
    assert made + len(["process 1", "the bot"]) == limits.PROCESSES


@pytest.mark.parametrize("level", ["process", "sandbox"])
def test_no_bot_may_raise_its_priority(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots cannot get real-time priority, even if the user of the referee may."""
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: unlimited)
    kinds = limits.by_process(level)
    assert kinds[resource.RLIMIT_RTPRIO] == kinds[resource.RLIMIT_NICE] == 0


def test_no_limit_is_above_that_of_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots can be started where an administrator limits the processor time of a process."""
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (600, 600))
    assert limits.cpu_seconds(3, 10) == 40
    assert limits.cpu_seconds(3, 10_000) == limits.cpu_seconds(3600) == 600
    assert {*limits.by_process("process").values()} == {0, 1, 256, 600}
