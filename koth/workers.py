"""Mappers for independent work: in this process, in ``--jobs`` processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from schema.errors import UsageError
from schema.executor import Mapper, serial

if TYPE_CHECKING:
    from referee.tournament import Tournament

MOST_JOBS = 512
"""Maximum number of processes: a slip such as ``--jobs 5000`` would stop the whole machine."""


def check_jobs(jobs: int | None) -> None:
    """Raise UsageError for a number of processes that :func:`workers` refuses."""
    if jobs is not None and not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"jobs: expected a number from 1 to {MOST_JOBS}, found {jobs}.")


def check(jobs: int | None, cluster: str | None, shared: Path | None) -> None:
    """Raise UsageError for options that :func:`workers` refuses."""
    check_jobs(jobs)
    if cluster is not None:
        from koth.cluster.client import check_options

        check_options(cluster, jobs, shared)
    elif shared is not None:
        raise UsageError("--shared: expected with --cluster, found without.")


@contextmanager
def workers(
    jobs: int | None,
    cluster: str | None = None,
    shared: Path | None = None,
    tournament: Tournament | None = None,
) -> Iterator[Mapper]:
    """Yield a mapper that works in this process, in ``jobs`` processes, or on a ``cluster``.

    ``shared`` is a folder that the cluster's machines see too; ``tournament`` is the tournament
    to play, if any. An error or an interrupt in the block stops the workers. Raises UsageError for
    options that contradict each other, and WorkerError if workers die or cannot be reached.
    """
    check(jobs, cluster, shared)
    if cluster is None:
        if jobs is None or jobs == 1:
            yield serial
            return
        from koth.processes import processes

        with processes(jobs) as mapper:
            yield mapper
        return
    from koth.cluster.client import cluster_workers

    with cluster_workers(cluster, jobs, shared, tournament) as mapper:
        yield mapper
