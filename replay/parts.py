"""Verifies a contest stage by stage, so that its memory does not grow with the number of stages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from replay.log_verdict import LogVerdict
from replay.places import stages_around
from replay.verify import Contests, note_stage, verify_all
from schema import discovery
from schema.discovery import CONTEST
from schema.executor import Mapper
from schema.log_path import LogPath
from schema.logs import Logs

Part = tuple[Sequence[LogPath], Iterator[LogVerdict]]
"""Some logs, and the verdicts on them, which are computed when the caller takes them."""


def parts(paths: Iterable[Path], each: Mapper) -> Iterator[Part]:
    """Yield the logs at ``paths`` in parts: each stage of a contest, the rest of it, all others.

    They are one part if a path is inside a contest that is a path, too, or has it inside.
    The logs and their verdicts are those of :func:`replay.verify.verify_all`. Take the verdicts of
    a part before the next part. Raises UsageError before the first part if a path does not exist.
    """
    real = {path: Path(os.path.realpath(path)) for path in paths}
    for path in real:
        discovery.resolve(path)
    contests: dict[Path, Path] = {}
    for path, place in real.items():
        if (path / CONTEST).is_file():
            contests.setdefault(place, path)
    inside = any(not contests.keys().isdisjoint(place.parents) for place in real.values())
    if inside or any(not {*real.values()}.isdisjoint(place.parents) for place in contests):
        contests = {}
    for folder in contests.values():
        yield from _of_contest(folder, each)
    others = [path for path, place in real.items() if place not in contests]
    if logs := Logs.joined(run for path in others for run in discovery.runs_at(path)):
        yield logs, verify_all(logs, each, {*map(discovery.resolve, others)})


def _of_contest(folder: Path, each: Mapper) -> Iterator[Part]:
    contests: Contests = {discovery.absolute(folder): {}}

    def stage_in(log: LogPath) -> str | None:
        return next((name for home, name in stages_around(log) if home in contests), None)

    for _, found in groupby(filter(stage_in, discovery.logs_at(folder)), stage_in):
        logs = Logs.of(found)
        yield logs, _noted(logs, verify_all(logs, each, {folder}), contests)
    rest = [log for log in discovery.logs_at(folder) if not stage_in(log)]
    yield rest, verify_all(rest, each, {folder}, contests)


def _noted(
    logs: Iterable[LogPath], verdicts: Iterable[LogVerdict], contests: Contests
) -> Iterator[LogVerdict]:
    """Yield the verdicts on ``logs``, and keep those on the tournaments of stages."""
    by_path = {str(log): log for log in logs}
    for verdict in verdicts:
        log = by_path[verdict.path]
        yield verdict if log.name == CONTEST else note_stage(log, verdict, contests)
