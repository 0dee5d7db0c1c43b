"""The faults of a bot, one by one, with the referee's notes on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from audit.tables import Database
from replay.evidence import observations
from replay.faults import Fault, faults
from replay.partial_log import read_partial
from report.page import lines, visible
from schema.errors import LogError
from schema.log_path import LogPath, path_text

LISTED = 200
"""Maximum faults of a bot, of one kind, that a site describes."""

PER_PAGE = 20
"""Number of faults on one page of a list."""

LENGTHS = (2_000, 500, 100)
"""Numbers of characters to which a text is cut until it is small on a page."""

LARGEST = 4_000
"""Maximum characters of a text on a page, signs for invisible characters included."""

POSITIONS = """
SELECT name, faults.kind, path, seq
FROM faults JOIN players USING (log, seat) JOIN logs USING (log)
QUALIFY row_number() OVER (PARTITION BY name, faults.kind ORDER BY log, seq) <= $most
ORDER BY log, seq
"""


@dataclass(frozen=True)
class ShownFault:
    """One fault with the referee's note on it."""

    path: str
    """The path of the log."""
    match: str
    seq: int
    name: str
    """The name of the bot."""
    sentence: str
    clause: str
    penalty: str
    notes: Mapping[str, Any]
    """Times, exit status and the like."""
    stderr: str


class FaultLists:
    """The first faults of each bot, at most ``LISTED`` of each kind.

    ``logs`` and ``ids`` of matches are by path as text.
    """

    def __init__(
        self, database: Database, logs: Mapping[str, LogPath], ids: Mapping[str, str]
    ) -> None:
        self._ids = ids
        self._events: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for name, kind, path, seq in database.rows(POSITIONS, {"most": LISTED}):
            self._events[name, kind][path].append(seq)
        # One match may have faults of many bots.
        self._read = lru_cache(maxsize=1)(lambda path: read_partial(logs[path]))

    def of(self, name: str, kind: str) -> Iterator[ShownFault]:
        """Yield the faults of a bot that are of this kind, in readable logs."""
        for path, events in self._events[name, kind].items():
            with suppress(LogError, OSError):
                for fault in faults(self._read(path), events):
                    yield _shown(fault, self._ids.get(path, fault.match))


def _shown(fault: Fault, match: str) -> ShownFault:
    notes = observations(fault.evidence or {})
    return ShownFault(
        path=path_text(fault.path),
        match=match,
        seq=fault.seq,
        name=fault.player["name"],
        sentence=_end(fault.sentence),
        clause=fault.event["clause"],
        penalty=fault.event["penalty"],
        stderr=_end(str(notes.pop("stderr", "")), lines),
        notes={key: value for key, value in notes.items() if isinstance(value, str | int | float)},
    )


def _end(text: str, shown: Callable[[str], str] = visible) -> str:
    """Return the end of a text, so short that it is small on a page, where it is ``shown``."""
    ends = (text[-length:] for length in LENGTHS)
    return next((end for end in ends if len(shown(end)) <= LARGEST), text[-LENGTHS[-1] :])
