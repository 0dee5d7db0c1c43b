"""Run one bot's script in its scratch folder, on systems other than Linux."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from referee.bot import Bot
from referee.outcome import Outcome
from referee.plain import program, scratch_dir
from referee.protocols.base import Seating, Workspace


def expect(bots: Iterable[Bot], isolation: str, cold: bool = False) -> None:
    """Do nothing: no process is kept."""


def ahead_at_once(cold: bool) -> int:
    """Return 0: no bot starts before its question."""
    return 0


def kept_at_once(seating: Seating) -> int:
    """Return the number of bots: a folder that is kept holds nothing else."""
    return len(seating.bots)


def limits_in_force(isolation: str, time_limit: float) -> dict[str, object]:
    """Return the limits for the evidence: time alone."""
    return {"wall_s": time_limit}


@contextmanager
def open_workspace(bot: Bot, seating: Seating) -> Iterator[Workspace]:
    """Open a workspace in a new folder."""
    with scratch_dir.folder() as folder:
        workspace = PlainWorkspace(bot, folder, seating.time_limit)
        with scratch_dir.writing(folder):
            bot.install(workspace.home)
        yield workspace


class PlainWorkspace:
    """A workspace in a folder of this machine."""

    def __init__(self, bot: Bot, folder: Path, time_limit: float) -> None:
        self.bot, self.folder, self.time_limit = bot, folder, time_limit
        self.home = folder / bot.name

    @contextmanager
    def file(self, name: str, content: bytes) -> Iterator[tuple[None, str]]:
        """See :meth:`Workspace.file`. Raises RefereeError if the file cannot be written."""
        paths = (self.folder / f"file-{number}" for number in count())
        place = next(path for path in paths if not os.path.lexists(path))
        with scratch_dir.writing(self.folder):
            place.mkdir(parents=True)  # the bot may have removed the folder
            (place / name).write_bytes(content)
        try:
            yield None, str(place / name)
        finally:
            scratch_dir.remove(place)

    def run(self, bot_seed: str, arguments: Sequence[str]) -> Outcome:
        """See :meth:`Workspace.run`."""
        command = [*self.bot.command, *arguments]
        return program.run(command, self.home, bot_seed, self.time_limit)

    def start_ahead(self, bot_seed: str) -> None:
        """Do nothing."""
