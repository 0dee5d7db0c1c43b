"""The chain from a tournament's log to its matches: seeds, entrants, results, seals, none missing.

The tournament committed to its seed before the first match. From that seed follow those of all
matches, and its log names the seal of every match; so a match log that was swapped, added or
dropped does not fit any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from schema import folder, seal
from schema.place import Place
from schema.reader import Log


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


def breaks(tournament: Place, ends: Ends, matches: Mapping[str, Ends]) -> Iterator[tuple[int, str]]:
    """Where the chain breaks, as (seq in the tournament's log, what is wrong).

    ``matches`` are those logs of the tournament's folder that verified, by file name.
    """
    place = tournament.parent / folder.MATCHES
    files = {f"{played['match']}.jsonl": seq for seq, played in ends.played.items()}
    for file, seq in files.items():
        if file in matches:
            if wrong := _difference(ends, ends.played[seq], matches[file]):
                yield seq, f"{place / file}: {wrong}"
        elif place.is_dir() and not (place / file).exists():
            yield seq, f"{place / file}: expected the log of this match, found none"
    for file in matches:
        if file not in files:
            yield 0, f"{place / file}: expected no such match, found its log"


def _difference(ends: Ends, line: Mapping[str, Any], match: Ends) -> str | None:
    """The first thing in which a match log does not fit its line in the tournament's log."""
    start = match.start
    entrants = [ends.start["entrants"][number] for number in line["seats"]]
    expected: list[tuple[str, object, object]] = [
        (key, ends.start[key], start[key]) for key in ("tournament", "game", "rules", "settings")
    ]
    expected += [
        ("match", line["match"], start["match"]),
        ("players", [_who(one) for one in entrants], [_who(one) for one in start["players"]]),
        ("seed", seal.match_seed(ends.seal["seed"], line["match"]), match.seal["seed"]),
        ("seal", line["seal"], match.seal["sha256"]),
        ("faults", line["faults"], match.faults),
    ]
    expected += [(key, line[key], match.finish[key]) for key in ("reason", "scores", "winners")]
    for key, wanted, found in expected:
        if wanted != found:
            return f"{key}: the tournament's log says {wanted!r}, the match's {found!r}"
    return None


def _who(person: Mapping[str, str]) -> tuple[str, str]:
    return person["name"], person["bot"]
