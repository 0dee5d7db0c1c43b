"""Warm decisions of a script, by arguments and by a history file, compared with a cold start.

Each is measured without a sandbox and in one. A script with a proof keeps its fork for all
decisions; one without has a new fork for each.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from statistics import median

from benchmarks._controllers import UNPROVEN
from benchmarks.measure import Figure, in_turn, within
from games.table import ArgvCall, Ask, FileCall
from referee.bot import Bot, BotFile
from referee.pools import pool
from referee.protocols import script
from referee.protocols.base import Seating
from referee.sandbox import sandbox

SIZE = 500
"""Warm decisions of each protocol; cold decisions are a tenth of that."""

QUICK = 100

BURST = 10
"""Warm decisions between two cold decisions."""

GOALS = {
    "process": (within(0.1),),
    "sandbox": (within(0.2),),
}
"""Goals by isolation; the cold start has no sandbox."""

ARGV = b"import sys\nprint(sys.argv[1])\n"
FILE = b"""import sys
path, *_ = sys.argv[1:]
with open(path, "a") as history:
    history.write("I")
"""


def run(size: int) -> Iterator[Figure]:
    """Measure the median decision in ms, from question to answer, including scratch folders."""
    argv = ArgvCall(("3;1;17;0_2_1_4;1_3_3_3",))
    file = FileCall("I\nF\nTp\n" * 5, ("2", "3", "~$", "I\n", "F", "T"))
    calls = (
        ("argv", ARGV, Ask(0, "turn", argv, ())),
        ("argv, without a proof", ARGV + UNPROVEN, Ask(0, "turn", argv, ())),
        ("file", FILE, Ask(0, "turn", file, ())),
        ("file, without a proof", FILE + UNPROVEN, Ask(0, "turn", file, ())),
    )
    for isolation in ["process"] if sandbox.unavailable_reason() else GOALS:
        for call in calls:
            yield decision(*call, size, isolation)


def decision(name: str, source: bytes, ask: Ask, size: int, isolation: str) -> Figure:
    """Warm decisions of one protocol at one level, against cold ones."""
    bot = Bot("bot", (sys.executable, "bot.py"), (("bot.py", BotFile(source, False)),))
    seconds: dict[bool, list[float]] = {False: [], True: []}

    def timed(cold: bool, number: int) -> Callable[[], None]:
        level = "process" if cold else isolation
        seating = Seating([bot], "5" * 64, "match", 10.0, cold, level)

        def work() -> None:
            with script.open_session(seating) as session:
                for _ in range(number):
                    begun = time.perf_counter()
                    session([ask])
                    seconds[cold].append(time.perf_counter() - begun)

        return work

    timed(False, BURST)()
    seconds[False].clear()
    works = {"warm": timed(False, BURST), "cold": timed(True, 1)}
    in_turn(works, max(1, size // BURST))
    pool.close()
    found, cold = (median(seconds[which]) * 1000 for which in (False, True))
    what = f"warm decision, {name}, {isolation}"
    return Figure(what, found, "ms", "cold start", cold, GOALS[isolation])
