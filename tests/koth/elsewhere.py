"""Run Koth as on macOS, without what only Linux has, and print what protocols answer there.

python -m tests.koth.elsewhere macos koth ARGUMENT…    the command
python -m tests.koth.elsewhere macos stream            questions to stream bots
python -m tests.koth.elsewhere linux class             questions to class bots, on Linux
"""

from __future__ import annotations

import os
import platform
import select
import signal
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from typing import Any

from tests.factories import SEED

OF_LINUX: dict[Any, str] = {
    os: "O_PATH memfd_create pidfd_open pipe2 sched_getaffinity sched_setaffinity",
    select: "epoll",
    signal: "pidfd_send_signal",
}

STREAM_BOTS = [
    "for line in open(0):\n    print(line.strip(), flush=True)\n",
    "print('one\\ntwo', flush=True)\ninput()\n",
    "import sys\nprint('a', flush=True)\nsys.exit(4)\n",
    "import time\nprint('b', flush=True)\ntime.sleep(60)\n",
    "print('x' * 200_000, flush=True)\n",
    "while True:\n    print('y' * 1_000)\n",
    "import time\nprint('y' * 9_000_000, flush=True)\ntime.sleep(60)\n",
    "raise ValueError('told')\n",
]

CLASS_BOT = """
class Bot:
    def __init__(self, index):
        self.sum = 0
    def update(self, choices):
        self.sum += sum(choices)
    def select(self):
        return {}
"""
CLASS_BOTS = [
    *map(
        CLASS_BOT.format,
        (
            "self.sum % 7 + 1",
            "2 if self.sum == 0 else 1 / 0",
            "3 if self.sum == 0 else __import__('time').sleep(60)",
            "4 if self.sum == 0 else __import__('os')._exit(5)",
        ),
    ),
    "raise ValueError('told')",
]


def pretend() -> None:
    """Let this process find another system."""
    platform.platform(), sysconfig.get_config_vars()  # what they find belongs to the real system
    sys.platform = "darwin"
    for module, names in OF_LINUX.items():
        for name in names.split():
            vars(module).pop(name, None)


def put(kind: str) -> None:
    """Put three questions to bots of a protocol, of which most fail, and print the reactions."""
    from games.table import Ask, ClassCall, JointAsk, StreamCall
    from referee.bot import Bot, BotFile
    from referee.protocols import class_, stream
    from referee.protocols.base import Seating

    def bots(sources: Iterable[str]) -> Sequence[Bot]:
        command = (sys.executable, "bot.py")
        return [
            Bot(f"bot{seat}", command, (("bot.py", BotFile(source.encode(), False)),), "Bot")
            for seat, source in enumerate(sources)
        ]

    if kind == "stream":
        seated = [*bots(STREAM_BOTS), Bot("missing", ("no-such-program",), ())]
        lines = [f"{turn} " + "y" * 60_000 for turn in range(3)]
        seats = range(len(seated))
        questions: list[Any] = [
            [Ask(seat, "turn", StreamCall(line), ()) for seat in seats] for line in lines
        ]
        protocol = stream.open_session
    else:
        seated = [*bots(CLASS_BOTS)]
        legal = tuple(map(str, range(1, 100)))
        seen = [None, [1, 2, 3], [4, 5, 6]]
        questions = [JointAsk("select", ClassCall(choices), legal) for choices in seen]
        protocol = class_.open_session
    with protocol(Seating(seated, SEED, "match", 1.0, isolation="none")) as session:
        for question in questions:
            replies, notes = session(question)
            print(replies)
            for note in notes:
                stderr = str(note.get("stderr", ""))[-20:].strip()
                at_once = note.get("early"), float(str(note.get("ms", 0))) >= 0
                print(note["seat"], note.get("exit"), note.get("error"), stderr, *at_once)


if __name__ == "__main__":
    system, kind, *arguments = sys.argv[1:]
    if system == "macos":
        pretend()
    if kind != "koth":
        put(kind)
        sys.exit()
    from koth.cli.main import status

    sys.exit(status(arguments))
