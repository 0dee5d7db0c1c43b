"""Matches that are played elsewhere: what travels there, and what comes back.

A worker plays in a folder of its own. Of a match that an earlier run has begun it is given what
there is, and goes on with that. What it adds comes back as bytes; or, where the tournament's folder
is shared, it lies in a hidden folder in there. Only the client writes into the tournament's own
folders, in the order of the schedule: each file is new, or grows, and a log is on the disk before
its result counts.
"""

from __future__ import annotations

import os
import platform
import secrets
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, cast

from games.table import Result
from koth.cluster import worker_check
from referee import match
from referee.batch import scheduler
from referee.batch.scheduler import AT_ONCE, Block
from referee.errors import RefereeError
from referee.match import MatchJob
from referee.processes import scratch_dir
from referee.tournament import Tournament
from schema import discovery as layout
from schema.errors import KothError, UsageError
from schema.executor import A, B, Mapper
from schema.writer import AppendOnlyFile, WriteError

if TYPE_CHECKING:
    from koth.cluster.batches import Batches

STAGED = ".away-"
"""How the hidden folder begins that workers write into."""

NEW, ANEW, MORE = os.O_EXCL, os.O_TRUNC, 0

Content = bytes | Path
"""The content of a file, or the file in the shared folder that has it."""


@dataclass(frozen=True)
class RemoteBatch:
    """A block of matches on its way to a worker. Files go by their names in the tournament."""

    session: str
    block: Block
    """Without its bots, which the worker has."""
    seats: Sequence[Sequence[int]]
    """By match, the numbers of its bots."""
    folder: Path
    """The tournament's."""
    begun: Mapping[str, Content]
    """What an earlier run has recorded of matches."""
    staged: Path | None
    """Where the worker leaves what it adds, if that is shared."""


@dataclass(frozen=True)
class FileDelta:
    """What a worker adds to a file of the tournament."""

    path: Path
    content: Content
    flags: int
    """With which it is opened: it is new, or begins anew, or grows."""


@dataclass(frozen=True)
class RemoteResult:
    """What a worker brings back of a block."""

    results: Sequence[Result]
    added: Sequence[FileDelta]
    error: KothError | None


@contextmanager
def staging(tournament: Tournament, shared: Path | None) -> Iterator[Path | None]:
    """A hidden folder for workers in that of a tournament, if that is shared, and then removed.

    Raises UsageError for a tournament that cannot be played elsewhere.
    """
    if tournament.durable:
        raise UsageError(
            "--durable: not with --cluster, where a match is on the disk once it is over."
        )
    if shared is None:
        yield None
        return
    folder = tournament.folder.resolve()
    if not folder.is_relative_to(shared):
        raise UsageError(f"--shared: expected the tournament in {shared}, found it in {folder}.")
    for left in folder.glob(f"{STAGED}*"):  # by a client that was killed
        shutil.rmtree(left, ignore_errors=True)
    staged = folder / f"{STAGED}{secrets.token_hex(8)}"
    try:
        staged.mkdir(parents=True)
        yield staged
    finally:
        shutil.rmtree(staged, ignore_errors=True)
        with suppress(OSError):
            folder.rmdir()  # if nothing has come of it


def playing(
    batches: Batches, others: Mapper, tournament: Tournament, session: str, staged: Path | None
) -> Mapper:
    """A mapper that has blocks of matches played by ``batches``, and leaves all else to others."""
    number = {bot.name: place for place, bot in enumerate(tournament.bots)}

    def packed(block: Block) -> RemoteBatch:
        return RemoteBatch(
            session,
            replace(block, jobs=[replace(job, bots=()) for job in block.jobs]),
            [[number[bot.name] for bot in job.bots] for job in block.jobs],
            tournament.folder,
            {
                name: path.resolve() if staged else path.read_bytes()
                for job in block.jobs
                if match.has_begun(job)
                for name in names(job)
                if (path := tournament.folder / name).exists()
            },
            staged,
        )

    def each(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
        if function is not scheduler.play:
            yield from others(function, items)
            return
        errands = map(packed, cast(Iterable[Block], items))
        with closing(batches(play, errands)) as done:
            for brought in done:
                store(brought)
                for one in brought:
                    if one.error:
                        raise one.error
                    yield cast(B, one.results)

    return each


def names(job: MatchJob) -> Iterator[str]:
    """The files of a match, by their names in its tournament's folder."""
    for path in (job.log, job.evidence):
        yield f"{path.parent.name}/{path.name}"


def store(batch: Sequence[RemoteResult]) -> None:
    """Put what workers have added into the tournament's files, several at the same time.

    Raises RefereeError for a file that is there although it is new, and WriteError.
    """

    def put(added: FileDelta) -> None:
        path, content, flags = added.path, added.content, added.flags
        try:
            if isinstance(content, Path):
                if flags == NEW:
                    os.link(content, path)
                elif flags == ANEW:
                    content.replace(path)
                content, flags = b"" if flags else content.read_bytes(), MORE
            with AppendOnlyFile(path, flags) as file:
                if content and flags == MORE:
                    file.read_existing()
                file.append(content)
                if path.parent.name == layout.MATCHES:
                    file.sync()
        except FileExistsError:
            raise RefereeError(f"{path}: there is a log already.") from None
        except OSError as error:
            raise WriteError(path, error) from error

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(put, (added for brought in batch for added in brought.added)))


# --- on a worker ---------------------------------------------------------------------------------


def play(errand: RemoteBatch) -> RemoteResult:
    """Play a block; the files that it adds to come back also when it ends with an error."""
    bots = worker_check.given[errand.session]
    results: Sequence[Result] = ()
    failed: KothError | None = None
    with scratch_dir.folder() as place:
        for name in (layout.MATCHES, layout.EVIDENCE):
            (place / name).mkdir()
        begun = {name: content_of(there) for name, there in errand.begun.items()}
        for name, content in begun.items():
            (place / name).write_bytes(content)
        jobs = [
            replace(
                job,
                bots=tuple(bots[number] for number in seats),
                log=place / layout.MATCHES / job.log.name,
                evidence=place / layout.EVIDENCE / job.evidence.name,
            )
            for job, seats in zip(errand.block.jobs, errand.seats, strict=True)
        ]
        try:
            results = scheduler.play(replace(errand.block, jobs=jobs))
        except KothError as error:
            told = str(error).replace(str(place), str(errand.folder))
            error.args = (f"{told} (On the worker {platform.node()}.)",)
            failed = error
        added = []
        for name in chain.from_iterable(map(names, jobs)):
            if (path := place / name).exists():
                content = path.read_bytes()[begun.get(name, b"").rfind(b"\n") + 1 :]
                flags = MORE if name in begun else ANEW if jobs[0].again else NEW
                if content or flags != MORE:
                    brought = left(content, errand.staged)
                    added.append(FileDelta(errand.folder / name, brought, flags))
    return RemoteResult(results, added, failed)


def content_of(there: Content) -> bytes:
    """The content of a file."""
    return there if isinstance(there, bytes) else there.read_bytes()


def left(content: bytes, staged: Path | None) -> Content:
    """What was added, as it comes back: where it is shared it is on the disk now."""
    if staged is None:
        return content
    path = staged / secrets.token_hex(16)
    with AppendOnlyFile(path, os.O_EXCL) as file:
        file.append(content)
        file.sync()
    return path
