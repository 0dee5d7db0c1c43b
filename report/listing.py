"""The list of a tournament's matches: those read, and those that are only named."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from report import basis
from report.contents import Match, Tournament

AT_FIRST = 50
"""So many matches stand in the page itself; the script shows as many at a time."""
EXACT = 2**53
"""From here on JavaScript's numbers have gaps."""
SEAL = 12
"""So many digits of a seal are shown."""

MISSING = "missing"
"""What is said of a match that the tournament's log names, and whose own log is not there."""

Row = dict[str, Any]


def rows(found: Tournament) -> list[Row]:
    """Every match as a line of the table: those read, and those that are only named."""
    verdicts = {one.path: one for one in found.verdicts}
    listed: list[Row] = []
    for one in [*found.matches, *_only_named(found)]:
        verdict = verdicts.get(one.path) if one.path else None
        listed.append(
            {
                "match": one.match,
                "names": one.names,
                "scores": one.scores,
                "winners": one.winners,
                "order": _best_first(one),
                "reason": one.reason,
                "void": one.void,
                "faults": one.faults,
                "failed": sum(fault[2] for fault in one.faults),
                "seal": one.seal[:SEAL],
                "verdict": verdict.verdict if verdict else MISSING,
                "why": verdict.reason if verdict and not verdict.fine else None,
                "path": shlex.quote(basis.within(found, one.path)) if one.path else None,
            }
        )
    return sorted(listed, key=lambda row: _number(row["match"]))


def _only_named(found: Tournament) -> list[Match]:
    """The matches that the tournament's own log names, and that could not be read."""
    there = {one.match for one in found.matches}
    lost = [event for event in basis.events(found, "match_played") if event["match"] not in there]
    if not lost or found.log is None:
        return []
    names = [one["name"] for one in found.log.start["entrants"]]
    voided = {event["attempt"] for event in basis.events(found, "voided")}
    files = {PurePath(one.path).name: one.path for one in found.verdicts}
    return [
        Match(
            path=files.get(f"{event['match']}.jsonl"),
            match=event["match"],
            names=[names[entrant] for entrant in event["seats"]],
            scores=event["scores"],
            winners=event["winners"],
            reason=event["reason"],
            void=_number(event["match"])[0] in voided,
            seal=event["seal"],
            faults=[
                (seat, kind, count, None)
                for (seat, kind), count in Counter(
                    (fault["seat"], fault["kind"]) for fault in event["faults"]
                ).items()
            ],
        )
        for event in lost
    ]


def _number(match: str) -> tuple[int, int]:
    """The attempt and the number in the id of a match."""
    attempt, _, number = match.partition("-")
    return int(attempt), int(number)


def _best_first(one: Match) -> list[int]:
    """The seats: winners first, then by score."""
    scores, winners = one.scores or [0] * len(one.names), one.winners or ()
    return sorted(range(len(one.names)), key=lambda seat: (seat not in winners, -scores[seat]))


def for_script(listed: Sequence[Row]) -> dict[str, object]:
    """The same, in little space: texts that come again are numbers."""
    names = list(dict.fromkeys(name for row in listed for name in row["names"]))
    place = {name: n for n, name in enumerate(names)}
    return {
        "at_once": AT_FIRST,
        "names": names,
        "rows": [
            [
                row["match"],
                [place[row["names"][seat]] for seat in row["order"]],
                [_exact(row["scores"][seat]) for seat in row["order"]] if row["scores"] else None,
                len(row["winners"] or ()),
                row["reason"],
                int(row["void"]),
                [[row["order"].index(seat), *fault] for seat, *fault in row["faults"]],
                row["seal"],
                row["verdict"],
                row["why"],
                row["path"],
            ]
            for row in listed
        ],
    }


def _exact(score: int) -> int | str:
    return score if abs(score) < EXACT else f"{score:,}"
