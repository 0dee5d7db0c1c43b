"""The chain from a tournament's log to its matches: seeds, entrants, results, seals, none missing.

The tournament committed to its seed before the first match. From that seed follow those of all
matches, and its log names the seal of every match; so a match log that was swapped, added or
dropped does not fit any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import orjson

from schema import discovery, seal
from schema.errors import LogError
from schema.log_path import LogPath
from schema.reader import Log, read

Facts = Mapping[str, object]
"""What a match's log and its line in the tournament's log must agree in, by name."""


@dataclass
class LogSummary:
    """What the chain needs of a log that verifies: its two ends, and what happened in between.

    It is gathered while the log is read, for there may be very many events.
    """

    kind: str
    start: Mapping[str, Any]
    seed: str
    seal: Mapping[str, Any] = field(default_factory=dict)
    finish: Mapping[str, Any] = field(default_factory=dict)
    """A match's result."""
    faults: list[Mapping[str, Any]] = field(default_factory=list)
    """A match's faults, as its tournament's log should have them."""
    played: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    """A tournament's matches by their ids: their ``seq`` there, and a hash of their facts."""

    @classmethod
    def of(cls, log: Log) -> LogSummary:
        """The ends of ``log``."""
        ends = cls(log.kind, log.start, log.seal["seed"], log.seal)
        for seq, event in enumerate(log.events):
            ends.add(seq, event)
        return ends

    def add(self, seq: int, event: Mapping[str, Any]) -> None:
        """Take what is needed of event ``seq``."""
        match event["type"]:
            case "fault":
                self.faults.append({"seat": event["seat"], "kind": event["kind"]})
            case "match_finished":
                self.finish = event
            case "match_played":
                self.played[event["match"]] = (seq, _hash(self.facts_of(event)))

    def facts(self) -> Facts:
        """The facts of a match, by its own log."""
        start = self.start
        return {
            **{key: start[key] for key in ("tournament", "game", "rules", "settings", "match")},
            "players": [_who(one) for one in start["players"]],
            "seed": self.seed,
            "seal": self.seal["sha256"],
            "faults": self.faults,
            **{key: self.finish[key] for key in ("reason", "scores", "winners")},
        }

    def facts_of(self, played: Mapping[str, Any]) -> Facts:
        """The facts of a match, by the tournament's log, where it is the event ``played``."""
        start = self.start
        return {
            **{key: start[key] for key in ("tournament", "game", "rules", "settings")},
            "match": played["match"],
            "players": [_who(start["entrants"][number]) for number in played["seats"]],
            "seed": seal.match_seed(self.seed, played["match"]),
            **{key: played[key] for key in ("seal", "faults", "reason", "scores", "winners")},
        }

    def links(self) -> Fingerprints:
        """What is kept of them, until all logs of a tournament have been examined."""
        if self.kind == "match":
            return Fingerprints(_hash(self.facts()))
        return Fingerprints(matches=self.played)


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """Hashes of matches' facts, in little space, for there may be very many.

    There are none of an imported log.
    """

    own: bytes = b""
    """Of a match, by its own log."""
    matches: Mapping[str, tuple[int, bytes]] | None = None
    """Of all matches by their ids, by their tournament's log, each with its ``seq`` there."""

    @property
    def tournament(self) -> bool:
        """Whether they are out of a tournament's log."""
        return self.matches is not None


MISSING = "missing: this match was played, its log is not there"

Found = Mapping[str, Fingerprints | None]
"""All logs below the folder of a tournament's matches, by their names in there.

There are no links of one that is a finding by itself.
"""


@dataclass(frozen=True)
class Mismatch:
    """A place where the chain breaks."""

    seq: int
    """In the tournament's log."""
    log: LogPath
    """Of the match."""
    wrong: str = ""
    """What is wrong, where it is not that the two logs disagree."""

    def told(self, tournament: LogPath) -> str:
        """What is wrong; to tell in what two logs disagree, they are read once more."""
        return f"{self.log}: {self.wrong or _difference(tournament, self.seq, self.log)}"


def breaks(
    tournament: LogPath, links: Fingerprints, matches: Found, is_missing: Callable[[LogPath], bool]
) -> Iterator[Mismatch]:
    """Where the chain breaks.

    ``is_missing`` says of the log of a match that is not in ``matches`` whether it had to be.
    """
    place = tournament.parent / discovery.MATCHES
    files = {f"{match}.jsonl": link for match, link in (links.matches or {}).items()}
    for file, (seq, facts) in files.items():
        if file not in matches:
            if is_missing(place / file):
                yield Mismatch(seq, place / file, MISSING)
        elif match := matches[file]:
            if not match.own:
                yield Mismatch(seq, place / file, "another log: expected that of this match")
            elif facts != match.own:
                yield Mismatch(seq, place / file)
    for file, match in matches.items():
        if match and file not in files:
            yield Mismatch(0, place / file, "added: expected no such match, found its log")


def _hash(facts: Facts) -> bytes:
    return sha256(orjson.dumps(facts)).digest()


def _difference(tournament: LogPath, seq: int, match: LogPath) -> str:
    """The first thing in which a match log does not fit its line in the tournament's log."""
    try:
        log = read(tournament)
        expected, found = (
            LogSummary.of(log).facts_of(log.events[seq]),
            LogSummary.of(read(match)).facts(),
        )
    except (LogError, OSError, LookupError):
        return "it was changed while it was verified"
    key = next((key for key, wanted in expected.items() if wanted != found[key]), None)
    if key is None:
        return "it was changed while it was verified"
    return f"{key}: the tournament's log says {expected[key]!r}, the match's {found[key]!r}"


def _who(person: Mapping[str, str]) -> tuple[str, str]:
    return person["name"], person["bot"]
