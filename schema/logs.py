"""Paths of many logs, kept as folders with the names of logs in them."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby
from operator import itemgetter
from pathlib import Path
from typing import overload

from schema.log_path import LogPath

Run = tuple[LogPath, list[str]]
"""A folder, and names of logs in it: ``folder / name`` is a log."""


def run_of(path: LogPath) -> Run:
    """Return one path as a run; a root, such as a bundle that stands for its logs, as itself."""
    folder = path.parent
    return folder, ["" if path == folder else path.name]


@dataclass
class Logs(Sequence[LogPath]):
    """Paths of logs in order.

    Only the names of logs in the same folder are kept, because it may hold millions.
    """

    runs: list[Run]

    @classmethod
    def of(cls, paths: Iterable[LogPath]) -> Logs:
        """Return ``paths`` in their order, each log once, however its path is written."""
        return cls.joined(map(run_of, paths))

    @classmethod
    def joined(cls, runs: Iterable[Run]) -> Logs:
        """Return the logs of ``runs`` in their order, each log once."""
        kept: list[Run] = []
        seen: dict[str, set[str]] = defaultdict(set)
        for folder, same in groupby(runs, itemgetter(0)):
            known = seen[os.path.realpath(str(folder))]
            names = dict.fromkeys(name for _, names in same for name in names)
            if new := [name for name in names if name not in known]:
                known.update(new)
                kept.append((folder, new))
        return cls(kept)

    def absolute(self) -> Logs:
        """Return the same logs by paths that hold in any working folder."""
        runs: list[Run] = []
        for folder, names in self.runs:  # a bundle that is open needs no path
            runs.append((folder.absolute() if isinstance(folder, Path) else folder, names))
        return Logs(runs)

    def __iter__(self) -> Iterator[LogPath]:
        return (folder / name for folder, names in self.runs for name in names)

    def __len__(self) -> int:
        return self._ends[-1] if self.runs else 0

    @cached_property
    def _ends(self) -> list[int]:
        """The number of logs up to the end of each run."""
        return [*accumulate(len(names) for _, names in self.runs)]

    @overload
    def __getitem__(self, index: int) -> LogPath: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[LogPath]: ...

    def __getitem__(self, index: int | slice) -> LogPath | Sequence[LogPath]:
        chosen = range(len(self))[index]
        if isinstance(chosen, range):
            return self._between(chosen) if chosen.step == 1 else [self[at] for at in chosen]
        number = bisect_right(self._ends, chosen)
        folder, names = self.runs[number]
        return folder / names[chosen - self._ends[number]]

    def _between(self, numbers: range) -> Logs:
        """Return the logs with these numbers, which follow each other."""
        runs: list[Run] = []
        for run in range(bisect_right(self._ends, numbers.start), len(self.runs)):
            folder, names = self.runs[run]
            begin = self._ends[run] - len(names)
            if begin >= numbers.stop:
                break
            runs.append((folder, names[max(0, numbers.start - begin) : numbers.stop - begin]))
        return Logs(runs)
