"""``kill -9`` at random moments of ``koth tournament`` and ``koth resume``, with real bots.

In the suite this is a sample: one kill of a game of scripts, and one of the game of class bots.
``KOTH_FUZZ=25 python -m pytest tests/referee/test_resume_kills.py`` kills two hundred times.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from koth.cli.main import status
from replay.verify import verify_all
from schema import discovery as layout
from tests.koth.commands import script as running
from tests.koth.commands import started
from tests.referee.bot_factory import FIRST, class_source, contents, script
from tests.referee.interruptions import lines, stand
from tests.sampling import FACTOR, LONG_RUN, sampled

KILLS = 2 * FACTOR if LONG_RUN else 1
"""The number of times that each tournament is killed."""

WORDS: Mapping[str, Sequence[str]] = {
    "bank_heist": ["examples/saver", "examples/snitch", *["games_min=2", "games_max=3"]],
    "coins": ["examples/thief", "examples/planner", "examples/flipper", "games=6", "rounds=8"],
    "coup": ["examples/lawyer", "examples/bandit", "BOTS/first.sh", "rounds=2"],
    "smallest_unique": [
        *["examples/uniform", "examples/bayes", "examples/cycler", "BOTS/failing.py"],
        *["seats=3", "rounds=300", "games_per_entrant=3", "min_games_per_entrant=0"],
    ],
}
"""A tournament per game, which takes a second or two: its bots and settings."""

SET = {"bank_heist": ["rabble=20", "matches=4"]}


def words(game: str, bots: Path) -> list[str]:
    """Return the command line of the tournament, without its folder."""
    script(bots, "first.sh", FIRST + "act")
    failing = "if index == 2: raise ValueError\nself.n = 3"
    script(bots, "failing.py", class_source(init=failing, select="return 3"))
    typed: list[str] = []
    for word in [*WORDS[game], *SET.get(game, [])]:
        typed += ["--set", word] if "=" in word else [word.replace("BOTS", str(bots))]
    return ["tournament", game, *typed, "--seed", "7"]


@cache
def whole(game: str) -> tuple[Mapping[str, bytes], float]:
    """Return the logs of the tournament without interruption, and the seconds that it takes."""
    with TemporaryDirectory() as folder:
        begun = time.monotonic()
        typed = [*words(game, Path(folder) / "bots"), "-o", f"{folder}/cup", "--jobs", "2"]
        assert status(typed) == 0
        return contents(Path(folder) / "cup"), time.monotonic() - begun


def killed(process: subprocess.Popen[str], seconds: float) -> bool:
    """Kill the command after ``seconds``; return whether it was still running."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)  # the output closes when its workers end
    return process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    "game", sampled({game: game for game in WORDS}, ["coup", "smallest_unique"])
)
def test_killed_at_random_moments(game: str, tmp_path: Path) -> None:
    """A tournament that is killed many times loses no line, and ends with the same bytes."""
    expected, seconds = whole(game)
    rng = random.Random()
    kills, folder = 0, tmp_path / "cup"
    begin = [*words(game, tmp_path / "bots"), "-o", folder]
    command, before = begin, dict[str, bytes]()
    while True:
        process = started(*command, "--jobs", rng.choice([1, 2]))
        if kills == KILLS:
            _, err = process.communicate(timeout=60)
            assert process.returncode == 0, err
            break
        if killed(process, rng.uniform(0.3 if command is begin else 0.4, max(1.0, seconds))):
            kills += 1
            now = settled(folder)
            assert stand(before, now)
            before, command = now, ["resume", folder]
            if not now.get(layout.TOURNAMENT):
                shutil.rmtree(folder, ignore_errors=True)
                command, before = begin, {}
        else:
            assert process.returncode == 0
            assert contents(folder) == expected
            shutil.rmtree(folder)
            command, before = begin, {}
    assert contents(folder) == expected
    assert stand(before, expected)
    assert {one.verdict for one in verify_all(layout.logs([folder]))} == {"verified"}
    assert not (folder / layout.SEED).exists()


def settled(folder: Path) -> dict[str, bytes]:
    """Return the logs once no process has them open; raise AssertionError after five seconds."""
    for _ in range(100):
        held = [path for path in folder.rglob("*.jsonl") if is_open(path)]
        if not held:
            return lines(folder)
        time.sleep(0.05)
    raise AssertionError(f"{held} are still being written")


def is_open(path: Path) -> bool:
    """Return whether any process has the file open."""
    for descriptors in Path("/proc").glob("[0-9]*/fd"):
        with suppress(OSError):
            for one in descriptors.iterdir():
                with suppress(OSError):
                    if one.readlink() == path:
                        return True
    return False


def alive(session: int) -> list[str]:
    """Return the ids of the processes that are left of a session."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if file.read_text().rpartition(")")[2].split()[3] == str(session):
                found.append(file.parent.name)
    return found


STUBBORN = """
import os, signal, time
from koth.workers import workers
def stay(number):
    try:
        os.write(1, b"one\\n")
        time.sleep(600)
    except BaseException:
        time.sleep(600)
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    with workers(2) as each:
        list(each(stay, [1, 2]))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_worker_that_misses_its_end(number: int, tmp_path: Path) -> None:
    """If the signal to stop a worker is lost, it is sent again, and nothing hangs."""
    (tmp_path / "stubborn.py").write_text(STUBBORN)
    process = running(tmp_path / "stubborn.py")
    try:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == [b"one\n"] * 2
        process.send_signal(number)
        process.communicate(timeout=30)  # no process holds its output
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_lives_on(number: int, tmp_path: Path) -> None:
    """If the first process ends in any way, its workers end too."""
    folder = tmp_path / "cup"
    bots = [
        script(tmp_path / "bots", name, FIRST + "act; sleep 0.05") for name in ("one.sh", "two.sh")
    ]
    process = started("tournament", "coup", *bots, "-o", folder, "--jobs", 2)
    deadline = time.monotonic() + 30
    while len(list(folder.glob("matches/*"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == (130 if number == signal.SIGTERM else -number)
    if number == signal.SIGTERM:
        assert f"koth: stopped; `koth resume {folder}` goes on.\n" in err
    while (left := alive(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left == []
