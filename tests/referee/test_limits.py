"""Limits are in force before a bot runs, and the evidence says what they are."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import limits, places, sandbox, sandboxes, warm
from referee.bots import Bot, BotFile
from referee.protocol import NO_SEED, Seating
from tests.making import SEED
from tests.referee.test_processor_time import on_one_processor

LIMIT = 0.6
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
"""A program whose child says what limits it had from the first instruction on."""


def seating(level: str) -> Seating:
    """A match at that level."""
    return Seating((), SEED, "match", LIMIT, True, level)


def skip_without(level: str) -> None:
    """Skip the test where there are no sandboxes."""
    if level == "sandbox" and (lacking := sandbox.lacking()):
        pytest.skip(lacking)


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> Iterator[None]:
    yield
    sandboxes.end()
    warm.end()


@pytest.mark.parametrize("level", ["process", "sandbox"])
def test_a_program_that_forks_at_once_has_its_limits(level: str, tmp_path: Path) -> None:
    """Limits are set before a program begins, so that its children have them, too."""
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
    with places.opened(early, seating(level)) as place:
        for _ in range(10):
            outcome = place.run(NO_SEED, [])
            assert list(map(int, outcome.output.split())) == expected


COMPUTES = "import time\nwhile time.process_time() < 0.25: pass\nprint('done')"
IN_CHILDREN = (
    "import subprocess, sys\nfor _ in range(3): subprocess.run([sys.executable, '-c', "
    "'import time\\nwhile time.process_time() < 0.06: pass'])\nprint('done')"
)


@pytest.mark.parametrize("program", [COMPUTES, IN_CHILDREN], ids=["itself", "its_children"])
@pytest.mark.parametrize("level", ["process", "sandbox"])
def test_a_bot_is_not_too_slow_because_of_others(level: str, program: str) -> None:
    """A bot that needs less than its limit is in time, however busy others keep the machine."""
    skip_without(level)
    content = BotFile(program.encode(), executable=False)
    patient = Bot("patient", ("python3", "main.py"), (("main.py", content),))
    with on_one_processor(spinning=4), places.opened(patient, seating(level)) as place:
        outcome = place.run(NO_SEED, [])
    if outcome.waited == 0:
        pytest.skip("this kernel has no statistics of run queues")
    assert (outcome.timed_out, outcome.exit, outcome.output) == (False, 0, b"done\n")
    assert outcome.computed > 0.15
    assert outcome.seconds > LIMIT


def test_class_bots_in_the_referees_own_process_have_no_limits() -> None:
    """Nothing is said to hold them; scripts have theirs at every level."""
    assert limits.in_force("none", "class", 1.0, False) == {}
    assert limits.in_force("none", "argv", 1.0, False) == limits.in_force(
        "process", "argv", 1.0, False
    )
