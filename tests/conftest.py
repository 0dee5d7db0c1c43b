"""Settings for all tests: properties are sampled without a time limit; nothing is cached."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from referee.processes import scratch_dir
from tests.once import MadeOnce, made_in
from tests.sampling import FACTOR, LONG_RUN

TESTS = Path(__file__).resolve().parent
MACHINE = TESTS / "machine.txt"
"""The list of the tests that depend on the machine: processes, sandboxes, terminals, browsers."""
LEFT_OUT = pytest.StashKey[set[Path]]()
"""Files and folders that are not collected."""

# A slow machine proves nothing wrong; the long run (`make fuzz`) draws more.
settings.register_profile("untimed", deadline=None, max_examples=20 * FACTOR if LONG_RUN else 12)
settings.load_profile("untimed")

# Bytecode is kept in any environment, because the tests start Koth hundreds of times.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Readline, which pytest loads, sets it for all children; texts are expected at their full width.
os.environ.pop("COLUMNS", None)

# A shell starts background commands with SIGINT ignored, which all children inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests run without sandboxes on every machine, unless they test sandboxes.
os.environ["KOTH_ISOLATION"] = "process"

# Collection makes a million objects that live until the end: no use in looking for garbage there.
gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Look for garbage from now on, except in what collection has made."""
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--whole``."""
    told = "run the tests that depend on the machine, too"
    parser.addoption("--whole", action="store_true", help=told)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Leave out what depends on the machine, unless asked for; the rest has its files in memory."""
    is_suite = [Path(path).resolve() for path in config.args] == [TESTS]
    config.stash[LEFT_OUT] = set()
    if is_suite and not config.getoption("whole"):
        config.stash[LEFT_OUT] = {config.rootpath / path for path in MACHINE.read_text().split()}
        os.environ["TMPDIR"] = tempfile.tempdir = scratch_dir.parent()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave it out: pytest's own ``--ignore`` compares each file with each path."""
    return True if collection_path in config.stash[LEFT_OUT] else None


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was left out."""
    if config.stash[LEFT_OUT]:
        terminalreporter.write_line(
            "`make machine-test` runs the tests that depend on the machine."
        )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run one worker per processor, and one more for matches, which wait for their bots."""
    return len(os.sched_getaffinity(0)) + (not config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Run the tests of a file in one process, and those of a game's rules, which share an audit."""
    scheduling: Any = import_module("xdist.scheduler")  # it has no types
    scheduler = scheduling.LoadFileScheduling(config, log)

    def scope(nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        folder = file.rpartition("/")[0]
        return folder if folder.startswith("tests/audit/rules/") else file

    scheduler._split_scope = scope
    return scheduler


@pytest.fixture
def sandboxes() -> Iterator[None]:
    """Skip the test if sandboxes are unavailable; end the sandboxes that the test started."""
    from referee.pools import pool
    from referee.sandbox import sandbox

    if unavailable_reason := sandbox.unavailable_reason():
        pytest.skip(unavailable_reason)
    yield
    pool.close()


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MadeOnce:
    """Return folders that one of the processes of this test run fills for all."""
    base = tmp_path_factory.getbasetemp()
    return made_in(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture(scope="session")
def worked_through(made_once: MadeOnce) -> Callable[[Path], tuple[Path, str]]:
    """Work a page of the docs through, once: where it left its files, and the renewed page."""
    from tests.test_docs import generate

    def work(page: Path) -> tuple[Path, str]:
        def fill(folder: Path) -> None:
            (folder / "files").mkdir()
            renewed = generate.Page(page, folder / "files").renewed()
            (folder / "renewed.md").write_text(renewed)

        folder = made_once(f"page-{page.stem}", fill)
        return folder / "files", (folder / "renewed.md").read_text()

    return work
