"""Checks that the logs of a tournament belong together.

A tournament commits to its seed before the first match. Its seed determines the seed of each match,
and its log names the result and the seal of each match. So a match log that was replaced, added or
removed no longer fits the tournament's log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from schema import discovery, seal
from schema.errors import LogError
from schema.log_path import LogPath
from schema.reader import Log, read

Facts = Mapping[str, object]
"""The values in which a match's log and its tournament's log must agree, by name."""


SUMMARIZED = frozenset({"fault", "match_finished", "match_played"})
"""The types of the events of which a summary keeps a part."""


@dataclass
class LogSummary:
    """The parts of a verified log that its tournament is checked with.

    They are collected while the log is read, because a log may have millions of events.
    """

    kind: str
    start: Mapping[str, Any]
    seed: str
    seal: Mapping[str, Any] = field(default_factory=dict)
    finish: Mapping[str, Any] = field(default_factory=dict)
    """A match's result."""
    faults: list[Mapping[str, Any]] = field(default_factory=list)
    """A match's faults, as its tournament's log lists them."""
    played: dict[str, bytes] = field(default_factory=dict)
    """The hashes of the facts of a tournament's matches, by id."""

    @classmethod
    def of(cls, log: Log) -> LogSummary:
        """Return the summary of ``log``."""
        summary = cls(log.kind, log.start, log.seal["seed"], log.seal)
        for event in log.events:
            summary.add(event)
        return summary

    def add(self, event: Mapping[str, Any]) -> None:
        """Collect what the summary keeps of an event."""
        match event["type"]:
            case "fault":
                self.faults.append({"seat": event["seat"], "kind": event["kind"]})
            case "match_finished":
                self.finish = event
            case "match_played":
                self.played[event["match"]] = _hash(self.facts_of(event))

    def facts(self) -> Facts:
        """Return the facts of this match, from its own log."""
        start = self.start
        return {
            **{key: start[key] for key in ("tournament", "game", "rules", "settings", "match")},
            "players": [_name_and_hash(player) for player in start["players"]],
            "seed": self.seed,
            "seal": self.seal["sha256"],
            "faults": self.faults,
            **{key: self.finish[key] for key in ("reason", "scores", "winners")},
        }

    def facts_of(self, played: Mapping[str, Any]) -> Facts:
        """Return the facts of the match in the event ``played`` of this tournament's log."""
        start = self.start
        return {
            **{key: start[key] for key in ("tournament", "game", "rules", "settings")},
            "match": played["match"],
            "players": [_name_and_hash(start["entrants"][number]) for number in played["seats"]],
            "seed": seal.match_seed(self.seed, played["match"], played.get("dice")),
            **{key: played[key] for key in ("seal", "faults", "reason", "scores", "winners")},
        }

    def fingerprints(self) -> Fingerprints:
        """Return the hashes of the facts of this match, or of all matches of this tournament."""
        if self.kind == "match":
            return Fingerprints(_hash(self.facts()))
        return Fingerprints(matches=self.played)


class Fingerprints(NamedTuple):
    """Hashes of the facts in one log, kept until all logs of its tournament are read.

    Those of an imported log, and of a contest's, are empty.
    """

    own: bytes = b""
    """Of a match's log: the hash of its facts."""
    matches: Mapping[str, bytes] | None = None
    """Of a tournament's log: the hash of the facts of each match, by id."""
    imported: bool = False
    """Whether the log was imported: then it committed to no seed."""

    @property
    def tournament(self) -> bool:
        """Whether the log is a tournament's."""
        return self.matches is not None


FingerprintsByFile = Mapping[str, Fingerprints | None]
"""The logs below a tournament's folder of matches, by file name.

The value is None for a log that cannot be compared, because its own verdict is a finding.
"""

MISSING = "missing: this match was played, its log is not there"
ANOTHER = "another log: expected that of this match"
ADDED = "added: expected no such match, found its log"
CHANGED = "it was changed while it was verified"


@dataclass(frozen=True)
class Mismatch:
    """A match log that does not fit its tournament's log."""

    log: LogPath
    """The match's log."""
    match: str = ""
    """The match's id; empty if the tournament's log does not have the match."""
    problem: str = ""
    """The problem; empty if the two logs state different facts."""

    def describe(self, tournament: LogPath) -> tuple[str, int | None]:
        """Return the problem, and its line in the tournament's log; both logs are read again."""
        problem, line = self.problem, 1
        try:
            log = read(tournament)
            if self.match:
                line = 1 + _seq_of(self.match, log)
            problem = problem or _first_different_fact(log, line - 1, read(self.log))
        except (LogError, OSError, LookupError, StopIteration):
            return f"{self.log}: {problem or CHANGED}", None
        return f"{self.log}: {problem}", line


def mismatches(
    tournament: LogPath,
    played: Mapping[str, bytes],
    matches: FingerprintsByFile,
    is_missing: Callable[[LogPath], bool],
) -> Iterator[Mismatch]:
    """Yield the matches that do not fit the log at ``tournament``.

    ``played`` has the hash of the facts of each match in that log, by id. ``is_missing`` says
    whether a log that is not in ``matches`` should be there.
    """
    folder = tournament.parent / discovery.MATCHES
    for id, facts in played.items():
        file = f"{id}.jsonl"
        if file not in matches:
            if is_missing(folder / file):
                yield Mismatch(folder / file, id, MISSING)
        elif match := matches[file]:
            if not match.own:
                yield Mismatch(folder / file, id, ANOTHER)
            elif facts != match.own:
                yield Mismatch(folder / file, id)
    for file, match in matches.items():
        id, _, suffix = file.rpartition(".")
        if match and (id not in played or suffix != "jsonl"):
            yield Mismatch(folder / file, problem=ADDED)


def _hash(facts: Facts) -> bytes:
    return sha256(orjson.dumps(facts)).digest()


def _seq_of(match: str, tournament: Log) -> int:
    """Return the ``seq`` of a match in its tournament's log. Raises StopIteration."""
    events = enumerate(tournament.events)
    return next(
        seq
        for seq, event in events
        if event.get("match") == match and event["type"] == "match_played"
    )


def _first_different_fact(tournament: Log, seq: int, match: Log) -> str:
    expected = LogSummary.of(tournament).facts_of(tournament.events[seq])
    actual = LogSummary.of(match).facts()
    key = next(key for key, value in expected.items() if value != actual[key])
    return f"{key}: the tournament's log says {expected[key]!r}, the match's {actual[key]!r}"


def _name_and_hash(bot: Mapping[str, str]) -> tuple[str, str]:
    return bot["name"], bot["bot"]
