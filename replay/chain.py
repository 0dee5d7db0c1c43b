"""The chain from a tournament's log to its matches: seeds, entrants, results, seals, none missing.

The tournament committed to its seed before the first match. From that seed follow those of all
matches, and its log names the seal of every match; so a match log that was swapped, added or
dropped does not fit any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

import orjson

from schema import folder, seal
from schema.errors import LogError
from schema.place import Place
from schema.reader import Log, read

Facts = Mapping[str, object]
"""What a match's log and its line in the tournament's log must agree in, by name."""


@dataclass(frozen=True)
class Ends:
    """What the chain needs of a log that verifies: its two ends, and what happened in between."""

    kind: str
    start: Mapping[str, Any]
    finish: Mapping[str, Any]
    seal: Mapping[str, Any]
    played: Mapping[int, Mapping[str, Any]]
    """A tournament's matches, as its log has them, by their ``seq`` there."""
    faults: Sequence[Mapping[str, Any]]
    """A match's faults, as its tournament's log should have them."""

    @classmethod
    def of(cls, log: Log) -> Ends:
        """The ends of ``log``."""
        events = cast(Sequence[Mapping[str, Any]], log.events)
        played = {n: event for n, event in enumerate(events) if event["type"] == "match_played"}
        faults = [
            {"seat": event["seat"], "kind": event["kind"]}
            for event in events
            if event["type"] == "fault"
        ]
        return cls(log.kind, log.start, events[-2], log.seal, played, faults)

    def facts(self) -> Facts:
        """The facts of a match, by its own log."""
        start = self.start
        return {
            **{key: start[key] for key in ("tournament", "game", "rules", "settings", "match")},
            "players": [_who(one) for one in start["players"]],
            "seed": self.seal["seed"],
            "seal": self.seal["sha256"],
            "faults": self.faults,
            **{key: self.finish[key] for key in ("reason", "scores", "winners")},
        }

    def facts_of(self, seq: int) -> Facts:
        """The facts of a match, by the tournament's log, where it is event ``seq``."""
        line, start = self.played[seq], self.start
        return {
            **{key: start[key] for key in ("tournament", "game", "rules", "settings")},
            "match": line["match"],
            "players": [_who(start["entrants"][number]) for number in line["seats"]],
            "seed": seal.match_seed(self.seal["seed"], line["match"]),
            **{key: line[key] for key in ("seal", "faults", "reason", "scores", "winners")},
        }

    def links(self) -> Links:
        """What is kept of them, until all logs of a tournament have been examined."""
        if self.kind == "match":
            return Links({self.start["match"]: (0, _hash(self.facts()))})
        matches = ((seq, line["match"]) for seq, line in self.played.items())
        return Links({match: (seq, _hash(self.facts_of(seq))) for seq, match in matches}, True)


@dataclass(frozen=True)
class Links:
    """A hash of each match's facts, in little space, for there may be very many."""

    hashes: Mapping[str, tuple[int, bytes]]
    """By the match's id, with its ``seq`` in the tournament's log; none of an imported log."""
    tournament: bool = False
    """Whether they are out of a tournament's log; a match's own has one."""


Found = Mapping[str, Links | None]
"""All logs below the folder of a tournament's matches, by their names in there.

There are no links of one that is a finding by itself.
"""


@dataclass(frozen=True)
class Break:
    """A place where the chain breaks."""

    seq: int
    """In the tournament's log."""
    log: Place
    """Of the match."""
    wrong: str = ""
    """What is wrong, where it is not that the two logs disagree."""

    def told(self, tournament: Place) -> str:
        """What is wrong; to tell in what two logs disagree, they are read once more."""
        return f"{self.log}: {self.wrong or _difference(tournament, self.seq, self.log)}"


def breaks(
    tournament: Place, links: Links, matches: Found, is_missing: Callable[[Place], bool]
) -> Iterator[Break]:
    """Where the chain breaks.

    ``is_missing`` says of the log of a match that is not in ``matches`` whether it had to be.
    """
    place = tournament.parent / folder.MATCHES
    files = {f"{match}.jsonl": link for match, link in links.hashes.items()}
    for file, (seq, facts) in files.items():
        if file not in matches:
            if is_missing(place / file):
                yield Break(seq, place / file, "expected the log of this match, found none")
        elif match := matches[file]:
            if match.tournament or not match.hashes:
                yield Break(seq, place / file, "expected the log of this match, found another")
            elif [facts] != [found for _, found in match.hashes.values()]:
                yield Break(seq, place / file)
    for file, match in matches.items():
        if match and file not in files:
            yield Break(0, place / file, "expected no such match, found its log")


def _hash(facts: Facts) -> bytes:
    return sha256(orjson.dumps(facts)).digest()


def _difference(tournament: Place, seq: int, match: Place) -> str:
    """The first thing in which a match log does not fit its line in the tournament's log."""
    try:
        expected, found = Ends.of(read(tournament)).facts_of(seq), Ends.of(read(match)).facts()
    except (LogError, OSError, KeyError):
        return "it was changed while it was verified"
    key = next((key for key, wanted in expected.items() if wanted != found[key]), None)
    if key is None:
        return "it was changed while it was verified"
    return f"{key}: the tournament's log says {expected[key]!r}, the match's {found[key]!r}"


def _who(person: Mapping[str, str]) -> tuple[str, str]:
    return person["name"], person["bot"]
