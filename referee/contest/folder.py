"""The folder of a contest: make it, and append to its log.

DIR/contest.jsonl     entries, stages, and the head of the chain of seeds
DIR/bots/NAME/HASH12  the files of each version of a bot, as they were entered
DIR/stages/0001       the tournament of each stage
DIR/seeds.private     the last seed of the chain, until the contest is closed
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from games.contest import Contest, ContestError, Event, chain_seed
from schema import discovery as layout
from schema import registry, seal
from schema.canonical import line
from schema.card import Card
from schema.errors import CorruptLog, UsageError
from schema.events import FORMAT
from schema.files import (
    TEMPORARY,
    exists,
    first_line,
    making,
    refuse_links,
    refuse_used,
    refuse_working_folder,
    replacing_folder,
    write_file,
)
from schema.system_errors import raise_system_error
from schema.writer import LogWriter


@dataclass(frozen=True)
class ContestFolder:
    """A contest whose log this process writes; all other processes are refused meanwhile."""

    path: Path
    card: Card
    state: Contest
    settings: BaseModel
    writer: LogWriter

    def check_open(self) -> None:
        """Raise UsageError if the contest is closed."""
        if self.state.sealed:
            raise UsageError(f"{self.path}: this contest is closed.")

    def append(self, event: Event) -> None:
        """Append an event, and sync it. Raises UsageError if it cannot follow."""
        try:
            self.state.apply(event)
        except ContestError as error:
            raise UsageError(f"{self.path}: {error}.") from None
        self.writer.write(dict(event))
        self.writer.flush()
        self.writer.sync()

    def close(self) -> None:
        """Seal the contest, and delete the seeds that no stage has used.

        Raises UsageError if a stage is not finished.
        """
        if self.state.stage is not None:
            raise UsageError(
                f"{self.path}: stage {self.state.stage.number} is not finished. "
                "`koth contest run` goes on with it."
            )
        if not self.state.sealed:
            self.writer.seal("contest")
        (self.path / layout.SEEDS).unlink(missing_ok=True)


def make(
    folder: Path, card: Card, settings: BaseModel, seed: str, stages: int, name: str | None
) -> str:
    """Make the folder of a new contest, whole or not at all; return the contest's id.

    ``seed`` is the last of a chain of ``stages`` seeds. Without a ``name`` the head of the chain
    names the contest. Raises UsageError if something is in ``folder`` or it is the working folder,
    and CardError for a broken game.
    """
    card.current.check()
    head = chain_seed(seed, stages, 0)
    start = {
        "type": "contest_started",
        "format": FORMAT,
        "game": card.name,
        "rules": card.rules,
        "contest": name or seal.tournament_id(head),
        "settings": settings.model_dump(),
        "plays": card.plays,
        "stages": stages,
        "seed_commitment": head,
    }
    refuse_used(folder)
    refuse_working_folder(folder)
    target = Path(os.path.realpath(folder))  # a link stays, as elsewhere
    with making(folder):
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing_folder(target) as new:
            (new / layout.BOTS).mkdir()
            (new / layout.STAGES).mkdir()
            seeds = os.open(new / layout.SEEDS, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(seeds, "w") as file:
                file.write(f"{seed}\n")
            write_file(new / layout.CONTEST, line(0, start))
    return str(start["contest"])


@contextmanager
def opened(folder: Path) -> Iterator[ContestFolder]:
    """Open a contest for writing, and remove the remains of an interrupted command.

    Raises UsageError without a contest and if its log is older than its stages, InUse while another
    process writes it, and a LogError if its log is damaged.
    """
    path = folder / layout.CONTEST
    if not exists(path):
        raise UsageError(
            f"{folder}: expected a contest, found no {layout.CONTEST} there. "
            "`koth contest new` makes one."
        )
    for name in (layout.BOTS, layout.STAGES):
        refuse_links(folder / name, folder)
    with LogWriter(path, again=True) as writer:
        log = writer.log
        if log is None or log.kind != "contest":
            raise CorruptLog(path, 1, "expected the start of a contest, found something else")
        state = Contest(log.start)
        for seq, event in enumerate(log.events):
            writer.write(event)
            if seq:
                apply(state, path, seq, event)
        _check_stages(folder / layout.STAGES, state)
        _remove_remains(folder / layout.BOTS)
        card = registry.card_under(log.card.name, log.version.name)
        yield ContestFolder(folder, card, state, log.settings(), writer)


def apply(state: Contest, path: Path, seq: int, event: object) -> None:
    """Apply a recorded event. Raises CorruptLog if it cannot follow."""
    try:
        state.apply(event)  # type: ignore[arg-type]  # the reader has validated it
    except ContestError as error:
        raise CorruptLog(path, seq + 1, str(error)) from None


def chain_end(folder: Path, start: Event) -> str:
    """Return the last seed of the chain.

    Raises UsageError if it is missing, and CorruptLog if it belongs to another chain.
    """
    path = folder / layout.SEEDS
    try:
        seed = first_line(path).decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise_system_error(error)
        raise UsageError(
            f"{path}: expected the seed of the last stage; without it the contest cannot go on."
        ) from None
    if chain_seed(seed, start["stages"], 0) != start["seed_commitment"]:
        problem = "expected the seed that the contest is bound to, found another"
        raise CorruptLog(path, 1, problem)
    return seed


def _check_stages(stages: Path, state: Contest) -> None:
    """Raise UsageError for a stage that no event begins: the log of the contest is an older one."""
    begun = state.finished + (state.stage is not None)
    for folder in _unlinked(stages):
        is_later = folder.name.isdecimal() and int(folder.name) > begun
        if is_later and (folder / layout.TOURNAMENT).exists():
            raise UsageError(
                f"{folder}: expected {begun} stages, as {layout.CONTEST} has, found one more. Put "
                f"the newest {layout.CONTEST} back."
            )


def _remove_remains(bots: Path) -> None:
    """Remove copies of bots that are not whole, and empty folders: what an interrupt left.

    A whole copy stays, even if no event names it: the log may be an older one. Raises OSError for a
    link, which may lead anywhere.
    """
    for bot in _unlinked(bots):
        if bot.is_dir():
            remains = [version for version in _unlinked(bot) if version.name.startswith(TEMPORARY)]
            for version in remains:
                shutil.rmtree(version)
            if not any(bot.iterdir()):
                bot.rmdir()


def _unlinked(folder: Path) -> list[Path]:
    """Return the paths in a folder, sorted by name. Raises OSError for a link.

    A folder that does not exist is an empty one, which Git does not keep.
    """
    if not folder.exists():
        return []
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_symlink():
            refuse_links(Path(entry), folder)
    return [Path(entry) for entry in entries]
