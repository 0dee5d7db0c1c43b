"""The *file* protocol: a process per call, which appends its answer to a file (CP-16, CP-17).

Each call gets a new copy of the history in a folder that no other bot can find. Afterwards the
referee reads the file once, up to a limit, and only if it is a regular file. So a bot that leaves a
process, a link, a pipe or a huge file in its place harms only itself.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from games.table import Answer, Ask, Fault, FileCall, Reply
from referee.errors import check_resources
from referee.outcome import Outcome
from referee.protocols.base import Workspace
from schema.bot_output import CAP
from schema.files import KINDS, NO_LINK, NOT_BLOCKING, SAFELY

HISTORY = "history.txt"
"""The file's name, in a folder of its own."""


@dataclass
class Appended:
    """The content of the history file after a call, by channel, and the fault in it, if any."""

    raw: dict[str, bytes] = field(default_factory=dict)
    fault: str | None = None
    other: str | None = None
    """The kind of object in the file's place."""


def ask(
    question: Ask, bot_seed: str, workspace: Workspace
) -> tuple[Reply, Outcome, Mapping[str, bytes]]:
    """Ask a bot once: the reply, how its process ended, and everything that it wrote."""
    assert isinstance(question.observation, FileCall)
    before = question.observation.history.encode()
    with workspace.file(HISTORY, before) as (folder, path):
        outcome = workspace.run(bot_seed, [path, *question.args])
        appended = examine(path if folder is None else HISTORY, folder, before)
    raw = {"output": outcome.output} | appended.raw
    return judge(outcome, appended, raw), outcome, raw


def judge(outcome: Outcome, appended: Appended, raw: Mapping[str, bytes]) -> Reply:
    """Return the first fault of crash, timeout, oversize and tampered (CP-17), or the answer.

    The log keeps only output that does not depend on the moment at which the bot was stopped: none
    after a timeout, the beginning of a flood.
    """
    if outcome.crashed:
        return Fault("crash", raw, appended.other)
    if outcome.timed_out:
        return Fault("timeout")
    if outcome.flooded:
        return Fault("oversize", {"output": outcome.output})
    if len(outcome.output) > CAP or appended.fault == "oversize":
        return Fault("oversize", raw, appended.other)
    if appended.fault is not None:
        return Fault(appended.fault, raw, appended.other)
    return Answer(raw)


def examine(path: str, folder: int | None, before: bytes) -> Appended:
    """Read the history file, which had the content ``before``, in the open ``folder``, if any."""
    try:
        if sys.platform != "win32" and folder is not None:
            with suppress(OSError):
                os.fchmod(folder, 0o700)  # the bot may have closed it to its owner
        kind = stat.S_IFMT(os.lstat(path, dir_fd=folder).st_mode)
        if kind != stat.S_IFREG:
            return Appended(fault="tampered", other=KINDS.get(kind, "no file"))
        flags = os.O_RDONLY | NO_LINK | NOT_BLOCKING | SAFELY
        descriptor = os.open(path, flags, dir_fd=folder)
    except FileNotFoundError:
        return Appended(fault="tampered", other="nothing")
    except OSError as error:
        if error.errno != errno.EAGAIN:  # a process of the bot has a lease on the file
            check_resources(error)
        return Appended(fault="tampered", other="a file that cannot be read")
    with open(descriptor, "rb", 0) as file:  # noqa: PTH123
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Appended(fault="tampered", other="no file")
        if status.st_nlink != 1:
            return Appended(fault="tampered", other="a file with other names (hard links)")
        if not status.st_mode & stat.S_IRUSR:
            return Appended(fault="tampered", other="a file that cannot be read")
        content = file.read(len(before) + CAP + 1)
    oversize = len(content) > len(before) + CAP
    if content.startswith(before):
        return Appended({"appended": content[len(before) :]}, "oversize" if oversize else None)
    return Appended({"file": content}, "oversize" if oversize else "tampered")
