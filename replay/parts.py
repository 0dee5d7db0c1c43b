"""Verifies a contest stage by stage, so that its memory does not grow with the number of stages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from replay.verify import Verdict, check_contest, note_stage, verify_all
from schema import discovery
from schema.bundle import SUFFIX
from schema.discovery import BOTS, CONTEST, STAGES
from schema.errors import NothingToDo
from schema.executor import Mapper
from schema.log_path import LogPath

Part = tuple[Sequence[LogPath], Iterator[Verdict]]
"""Some logs, and the verdicts on them, which are computed when the caller takes them."""


def parts(paths: Iterable[Path], each: Mapper) -> Iterator[Part]:
    """Yield the logs at ``paths`` in parts: each stage of a contest, its own log, and all others.

    Take the verdicts of a part before the next part. Raises as :func:`schema.discovery.logs`.
    """
    contests = {path.absolute(): path for path in paths if (path / CONTEST).is_file()}
    for folder in contests.values():
        yield from _of_contest(folder, each)
    others = [path for path in paths if contests.keys().isdisjoint(_with_parents(path))]
    if others or not contests:
        logs = discovery.logs(others)
        yield logs, verify_all(logs, each, {*map(discovery.resolve, others)})


def _of_contest(folder: Path, each: Mapper) -> Iterator[Part]:
    stages: dict[str, str] = {}
    log = folder / CONTEST
    apart = {folder / BOTS, folder / STAGES, log}
    inner = [path for path in (*_entries(folder), *_entries(folder / STAGES)) if path not in apart]
    for path in inner:
        if path.is_dir() or path.name.endswith((".jsonl", SUFFIX)):
            with suppress(NothingToDo):
                logs = discovery.logs([path])
                yield logs, _noted(verify_all(logs, each, {path}), log, stages)
    yield [log], iter([check_contest(log, stages, {folder})])


def _noted(verdicts: Iterable[Verdict], log: Path, stages: dict[str, str]) -> Iterator[Verdict]:
    """Yield verdicts, and keep those on the tournaments of stages."""
    for verdict in verdicts:
        note_stage(Path(verdict.path), verdict, {log.parent: stages})
        yield verdict


def _entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _with_parents(path: Path) -> list[Path]:
    return [path.absolute(), *path.absolute().parents]
