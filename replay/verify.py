"""Verdicts on logs. What is checked, in the order in which it decides:

1. ``corrupt``: the bytes are not a log (JSON, byte layout, sequence, events, fields, seal);
2. ``unsupported``: a newer format, or a game or rules version that is not installed;
3. ``incomplete``: no seal;
4. ``forged``: the seed is not the one that was committed to, or a tournament's log and those of
   its matches do not belong together;
5. ``diverged``: the rules do not lead from seed and answers to these events;
6. ``imported``: a record from elsewhere, with nothing to re-run;
7. ``verified``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import orjson

from replay.chain import Ends, breaks
from replay.rerun import Divergence, rerun
from schema import seal
from schema.errors import LogError
from schema.folder import MATCHES, TOURNAMENT, home
from schema.mapper import Mapper, serial
from schema.place import Place
from schema.reader import read

FINE = ("verified", "imported")


@dataclass(frozen=True)
class Verdict:
    """What is to be said of one log, and why."""

    path: str
    verdict: str
    reason: str
    line: int | None = None
    events: int | None = None
    divergence: Divergence | None = None

    @property
    def fine(self) -> bool:
        """Whether there is nothing to find fault with."""
        return self.verdict in FINE


def verify(path: Place) -> Verdict:
    """The verdict on the log at ``path``, by itself."""
    return _examine(path)[0]


def verify_all(paths: Iterable[Place], each: Mapper = serial) -> Iterator[Verdict]:
    """The verdicts on several logs, tournament by tournament, wherever ``each`` examines them.

    The log of a tournament comes after its matches, and is also held against them.
    """
    matches: dict[Place, dict[str, Ends]] = defaultdict(dict)
    listed = _by_tournament(paths)
    for path, (verdict, ends) in zip(listed, each(_examine, listed), strict=True):
        if ends is None:
            yield verdict
        elif ends.kind == "match":
            matches[path.parent][path.name] = ends
            yield verdict
        else:
            yield _chained(verdict, path, ends, matches.pop(path.parent / MATCHES, {}))


def _by_tournament(paths: Iterable[Place]) -> list[Place]:
    """``paths`` by the tournament's folder, in which the tournament's own log comes last."""
    homes: dict[Place, list[Place]] = defaultdict(list)
    for path in paths:
        homes[home(path)].append(path)
    return [
        path for logs in homes.values() for path in sorted(logs, key=lambda p: p.name == TOURNAMENT)
    ]


def _examine(path: Place) -> tuple[Verdict, Ends | None]:
    """The verdict on a log; and if it is verified, what its tournament's chain needs of it."""
    where = str(path)
    try:
        log = read(path)
    except LogError as error:
        return Verdict(where, error.verdict, error.found, error.line), None
    except OSError as error:
        return Verdict(where, "corrupt", f"cannot be read: {error.strerror}"), None
    events = len(log.events)
    if log.imported:
        if log.kind == "match" and _commits(home(path) / TOURNAMENT):
            reason = "an imported log, in a tournament that committed to a seed"
            return Verdict(where, "forged", reason, 1, events), None
        return Verdict(where, "imported", "seen elsewhere, nothing to re-run", None, events), None
    committed, revealed = log.start["seed_commitment"], seal.commitment(log.seal["seed"])
    if committed != revealed:
        reason = f"the log committed to a seed with the hash {committed}, this one has {revealed}"
        return Verdict(where, "forged", reason, events, events), None
    if found := rerun(log).divergence:
        return Verdict(where, "diverged", _told(found), found.line, events, found), None
    reason = f"{events} events follow from seed and answers"
    return Verdict(where, "verified", reason, None, events), Ends.of(log)


def _commits(tournament: Place) -> bool:
    """Whether there is a tournament's log that begins with a commitment."""
    try:
        with tournament.open("rb") as log:
            return "seed_commitment" in orjson.loads(log.readline())
    except (OSError, LogError, orjson.JSONDecodeError, TypeError):
        return False


def _chained(verdict: Verdict, path: Place, ends: Ends, matches: Mapping[str, Ends]) -> Verdict:
    """The verdict on a tournament's log, held against the logs of its matches."""
    found = list(breaks(path, ends, matches))
    if not found:
        return verdict
    seq, wrong = found[0]
    more = f"; and {len(found) - 1} more" if len(found) > 1 else ""
    return replace(verdict, verdict="forged", reason=wrong + more, line=seq + 1)


def _told(divergence: Divergence) -> str:
    clause = f" ({divergence.clause})" if divergence.clause else ""
    return (
        f"event {divergence.seq}, field {divergence.field}: recorded {divergence.recorded!r}, "
        f"recomputed {divergence.recomputed!r}{clause}"
    )
