"""``kill -9`` at random moments of ``koth contest enter`` and ``run``, with real bots.

In the suite this is a sample. ``KOTH_FUZZ=25 python -m pytest tests/koth/test_contest_kills.py``
kills fifty times.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from koth.cli.main import status
from replay.verify import verify_all
from schema import discovery as layout
from tests.koth.commands import started
from tests.referee.bot_factory import FIRST, script
from tests.referee.test_contest import kept
from tests.referee.test_resume_kills import killed
from tests.sampling import FACTOR, LONG_RUN

KILLS = 2 * FACTOR if LONG_RUN else 1
"""The number of times that the commands are killed."""

NEW = ["coup", "--seed", "7", "--name", "cup", "--set", "rounds=4", "--set", "max_calls=20"]


def words(bots: Path) -> list[list[str]]:
    """The commands of a contest, without its folder."""
    for name in ("first", "second", "third"):
        script(bots, f"{name}.sh", FIRST + "act")
    return [
        ["enter", str(bots / "first.sh"), "examples/lawyer"],
        ["run", "--beacon", "one"],
        ["enter", str(bots / "second.sh")],
        ["run", "--jobs", "2"],
        ["withdraw", "lawyer"],
        ["enter", str(bots / "third.sh")],
        ["run"],
    ]


def hold(cup: Path, commands: list[list[str]], kills: int, rng: random.Random) -> int:
    """Run the commands one after the other, killing some; return the number of kills."""
    done = 0
    for name, *rest in commands:
        while True:
            if done == kills or name == "withdraw":
                assert status(["contest", name, str(cup), *rest]) == 0
                break
            process = started("contest", name, cup, *rest)
            if not killed(process, rng.uniform(0.2, 3)):
                assert process.returncode == 0
                break
            done += 1
    return done


def test_killed_at_random_moments(tmp_path: Path) -> None:
    """A contest that is killed many times, and run again, has the same bytes in all files."""
    commands = words(tmp_path / "bots")
    rng = random.Random()
    whole = tmp_path / "whole"
    assert status(["contest", "new", str(whole), *NEW]) == 0
    assert hold(whole, commands, 0, rng) == 0
    expected, kills = kept(whole), 0
    while kills < KILLS:
        cup = tmp_path / "cup"
        assert status(["contest", "new", str(cup), *NEW]) == 0
        kills += hold(cup, commands, KILLS - kills, rng)
        assert kept(cup) == expected
        verdicts = {log.verdict for log in verify_all(layout.logs([cup]), given={cup})}
        assert verdicts == {"verified"}
        shutil.rmtree(cup)
