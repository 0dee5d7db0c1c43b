"""The *file* protocol: a process per call that appends its answer to a history file (CP-16, CP-17).

Each call gets a fresh copy of the history under a name that nobody can guess, and what lies there
afterwards is read once, bounded, and only if it is a plain file: so a bot that leaves a process
behind, a link, a pipe or a huge file harms nobody but itself.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field

from games.table import Answer, Ask, Fault, FileCall, Reply
from referee.processes.process import Outcome
from referee.protocols import script
from referee.protocols.base import Evidence, Seating, Session
from referee.protocols.workspace import Workspace
from schema.bot_output import CAP
from schema.files import KINDS

HISTORY = "history.txt"
"""The file's name, in a folder of its own."""


@dataclass
class Found:
    """What lay in the history file's place: the bytes by channel, and what is wrong with it."""

    raw: dict[str, bytes] = field(default_factory=dict)
    kind: str | None = None
    other: str | None = None


def open_session(seating: Seating) -> AbstractContextManager[Session]:
    """A match in the *file* protocol."""
    return script.open_session(seating, call)


def call(ask: Ask, bot_seed: str, place: Workspace) -> tuple[Reply, Evidence]:
    """Ask once: the reply, and the evidence."""
    assert isinstance(ask.observation, FileCall)
    before = ask.observation.history.encode()
    with place.file(HISTORY, before) as (folder, path):
        outcome = place.run(bot_seed, [path, *ask.observation.args])
        found = examine(folder, before)
    raw = {"output": outcome.output} | found.raw
    return judge(outcome, found, raw), script.evidence(outcome, raw)


def judge(outcome: Outcome, found: Found, raw: Mapping[str, bytes]) -> Reply:
    """The first that applies of crash, timeout, oversize, tampered (CP-17); else the answer.

    Of a bot that was stopped the log keeps only what does not depend on the moment: nothing of one
    that was too slow, the head of the output of one that flooded it.
    """
    if outcome.crashed:
        return Fault("crash", raw, found.other)
    if outcome.timed_out:
        return Fault("timeout")
    if outcome.flooded:
        return Fault("oversize", {"output": outcome.output})
    if len(outcome.output) > CAP or found.kind == "oversize":
        return Fault("oversize", raw, found.other)
    if found.kind is not None:
        return Fault(found.kind, raw, found.other)
    return Answer(raw)


def examine(folder: int, before: bytes) -> Found:
    """What lies in the open ``folder`` now, where a history with the content ``before`` was put."""
    try:
        with suppress(OSError):
            os.fchmod(folder, 0o700)  # whoever runs the referee, root or not, may look
        kind = stat.S_IFMT(os.lstat(HISTORY, dir_fd=folder).st_mode)
        if kind != stat.S_IFREG:
            return Found(kind="tampered", other=KINDS.get(kind, "no file"))
        how = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(HISTORY, how, dir_fd=folder)
    except FileNotFoundError:
        return Found(kind="tampered", other="nothing")
    except OSError:
        return Found(kind="tampered", other="a file that cannot be read")
    with open(descriptor, "rb") as file:  # noqa: PTH123
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Found(kind="tampered", other="no file")
        if status.st_nlink != 1:
            return Found(kind="tampered", other="a file with other names (hard links)")
        if not status.st_mode & stat.S_IRUSR:
            return Found(kind="tampered", other="a file that cannot be read")
        content = file.read(len(before) + CAP + 1)
    oversize = len(content) > len(before) + CAP
    if content.startswith(before):
        return Found({"appended": content[len(before) :]}, "oversize" if oversize else None)
    return Found({"file": content}, "oversize" if oversize else "tampered")
