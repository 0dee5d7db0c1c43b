"""Play matches on workers: send batches of matches, and write what the workers add to files.

1. The client sends a :class:`RemoteBatch`: matches, and the files that an interrupted run has
   begun. The bots are already there (:mod:`koth.cluster.worker_check`).
2. The worker plays in a scratch folder, and returns the results with a :class:`FileDelta` for
   each file of the tournament. If the tournament's folder is shared, the content of the delta is
   a file in a hidden staging folder; otherwise it is bytes.
3. The client alone writes the tournament's files, in the order of the schedule. A match's log is
   on disk before its result counts.
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
from referee.batch.scheduler import AT_ONCE, Batch
from referee.errors import RefereeError
from referee.match import MatchJob
from referee.processes import scratch_dir
from referee.tournament import STAGING_PREFIX, Tournament
from schema import discovery as layout
from schema import executor
from schema.errors import KothError, UsageError
from schema.executor import A, B
from schema.files import making, rename_new
from schema.writer import AppendOnlyFile, WriteError

if TYPE_CHECKING:
    from koth.ordered_map import BatchMapper

READ_WRITE = 0o666
"""The permissions of a new file, before the umask."""

CREATE, OVERWRITE, APPEND = os.O_EXCL, os.O_TRUNC, 0

Content = bytes | Path
"""The content of a file, or a file in the shared folder with that content."""


@dataclass(frozen=True)
class RemoteBatch:
    """A batch of matches for a worker."""

    session: str
    matches: Batch
    """The matches, without their bots."""
    seats: Sequence[Sequence[int]]
    """The numbers of the bots, by match and seat."""
    folder: Path
    """The tournament's folder on the client."""
    begun: Mapping[str, Content]
    """Files that an interrupted run has begun, by their names in the folder."""
    staging: Path | None
    """The shared folder for new content, if any."""


@dataclass(frozen=True)
class FileDelta:
    """Content that a worker adds to a file of the tournament."""

    path: Path
    content: Content
    flags: int
    """``CREATE``, ``OVERWRITE`` or ``APPEND``."""


@dataclass(frozen=True)
class RemoteResult:
    """The result of a batch of matches."""

    results: Sequence[Result]
    deltas: Sequence[FileDelta]
    error: KothError | None


@contextmanager
def staging_folder(tournament: Tournament, shared: Path | None) -> Iterator[Path | None]:
    """Yield a temporary hidden folder in the tournament's folder if that is shared, else None.

    Raises UsageError for a tournament that a cluster cannot play.
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
    is_new = not folder.exists()
    staging = folder / f"{STAGING_PREFIX}{secrets.token_hex(8)}"
    try:
        with making(folder):
            staging.mkdir(parents=True)
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if is_new:
            with suppress(OSError):  # the tournament wrote something
                folder.rmdir()


def mapper(
    batches: BatchMapper,
    others: executor.Mapper,
    tournament: Tournament,
    session: str,
    staging: Path | None,
) -> executor.Mapper:
    """Return a mapper that plays matches on workers, and leaves other functions to ``others``."""
    numbers = {bot.name: number for number, bot in enumerate(tournament.bots)}

    def sendable(matches: Batch) -> RemoteBatch:
        return RemoteBatch(
            session,
            replace(matches, jobs=[replace(job, bots=()) for job in matches.jobs]),
            [[numbers[bot.name] for bot in job.bots] for job in matches.jobs],
            tournament.folder,
            {
                name: path.resolve() if staging else path.read_bytes()
                for job in matches.jobs
                if match.has_begun(job)
                for name in _file_names(job)
                if (path := tournament.folder / name).exists()
            },
            staging,
        )

    def play_all(function: Callable[[A], B], items: Iterable[A], /) -> Generator[B, None, None]:
        if function is not scheduler.play:
            yield from others(function, items)
            return
        remote_batches = map(sendable, cast(Iterable[Batch], items))
        with closing(batches(play, remote_batches)) as done:
            for results in done:
                store(results)
                for result in results:
                    if result.error:
                        raise result.error
                    yield cast(B, result.results)

    return play_all


def _file_names(job: MatchJob) -> Iterator[str]:
    """Yield the names of a match's files in the tournament's folder."""
    for path in (job.log, job.evidence):
        yield f"{path.parent.name}/{path.name}"


def store(results: Sequence[RemoteResult]) -> None:
    """Write the deltas of these results, several files at a time.

    Raises RefereeError if a new file already exists, and WriteError if a file cannot be written.
    """
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(_apply, (delta for result in results for delta in result.deltas)))


def _apply(delta: FileDelta) -> None:
    """Write one delta."""
    path, content, flags = delta.path, delta.content, delta.flags
    try:
        if isinstance(content, Path):
            if flags == CREATE:
                rename_new(content, path)
            elif flags == OVERWRITE:
                content.replace(path)
            content, flags = b"" if flags else content.read_bytes(), APPEND
        with AppendOnlyFile(path, flags) as file:
            if content and flags == APPEND:
                file.read_existing()
            file.append(content)
            if path.parent.name == layout.MATCHES:
                file.sync()
    except FileExistsError:
        raise RefereeError(f"{path}: there is a log already.") from None
    except OSError as error:
        raise WriteError(path, error) from error


# --- on a worker ---------------------------------------------------------------------------------


def play(batch: RemoteBatch) -> RemoteResult:
    """Play a batch of matches in a scratch folder; return its files even after an error."""
    results: Sequence[Result] = ()
    failure: KothError | None = None
    with scratch_dir.folder() as scratch:
        begun = {
            name: content if isinstance(content, bytes) else content.read_bytes()
            for name, content in batch.begun.items()
        }
        jobs = _jobs(batch, scratch, begun)
        try:
            results = scheduler.play(replace(batch.matches, jobs=jobs))
        except KothError as error:
            message = str(error).replace(str(scratch), str(batch.folder))
            error.args = (f"{message} (On the worker {platform.node()}.)",)
            failure = error
        return RemoteResult(results, [*_deltas(batch, jobs, scratch, begun)], failure)


def _jobs(batch: RemoteBatch, scratch: Path, begun: Mapping[str, bytes]) -> list[MatchJob]:
    """Write the begun files into ``scratch``, and return the matches with bots and files there."""
    for name in (layout.MATCHES, layout.EVIDENCE):
        (scratch / name).mkdir()
    for name, content in begun.items():
        (scratch / name).write_bytes(content)
    bots = worker_check.session_bots[batch.session]
    return [
        replace(
            job,
            bots=tuple(bots[number] for number in seats),
            log=scratch / layout.MATCHES / job.log.name,
            evidence=scratch / layout.EVIDENCE / job.evidence.name,
        )
        for job, seats in zip(batch.matches.jobs, batch.seats, strict=True)
    ]


def _deltas(
    batch: RemoteBatch, jobs: Sequence[MatchJob], scratch: Path, begun: Mapping[str, bytes]
) -> Iterator[FileDelta]:
    """Yield the new content of each file, from its last complete line in ``begun`` on."""
    new_flags = OVERWRITE if jobs[0].again else CREATE
    for name in chain.from_iterable(map(_file_names, jobs)):
        if (path := scratch / name).exists():
            content = path.read_bytes()[begun.get(name, b"").rfind(b"\n") + 1 :]
            flags = APPEND if name in begun else new_flags
            if content or flags != APPEND:
                yield FileDelta(batch.folder / name, _stage(content, batch.staging), flags)


def _stage(content: bytes, staging: Path | None) -> Content:
    """Return the content, or a synced file with it if there is a shared folder.

    The file has the permissions of the client's files: those of the folder, which the client made.
    """
    if staging is None:
        return content
    path = staging / secrets.token_hex(16)
    with AppendOnlyFile(path, os.O_EXCL) as file:
        file.append(content)
        file.sync()
    path.chmod(staging.stat().st_mode & READ_WRITE)
    return path
