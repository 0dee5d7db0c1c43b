"""The list of a tournament's matches, with and without readable logs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from report import basis
from report.contents import Match, Tournament
from report.links import SEATS, Links
from report.page import EXACT
from schema.log_path import printable, shell_word

PAGE_ROWS = 50
"""Number of matches in the page itself; the script shows as many at a time."""
SEAL_DIGITS = 12
"""Number of digits of a seal that the list shows."""

MISSING = "missing"
"""Takes the place of the verdict if a match of the tournament's log has no log here."""

Row = dict[str, Any]


def rows(tournament: Tournament) -> list[Row]:
    """Return the rows of the list, in the order of the matches."""
    verdicts = {verdict.path: verdict for verdict in tournament.verdicts}
    rows: list[Row] = []
    for match in [*tournament.matches, *_without_readable_logs(tournament)]:
        path = match.path
        verdict = verdicts.get(path) if path else None
        rows.append(
            {
                "match": match.match,
                "stage": match.stage,
                "names": match.names,
                "scores": match.scores,
                "winners": match.winners,
                "order": _best_first(match),
                "reason": match.reason and printable(match.reason.replace("_", " ")),
                "void": match.void,
                "faults": match.faults,
                "failed": sum(number for _, _, number, _ in match.faults),
                "first": min((seq for *_, seq in match.faults if seq is not None), default=None),
                "seal": match.seal[:SEAL_DIGITS],
                "verdict": verdict.verdict if verdict else MISSING,
                "why": verdict.reason if verdict and not verdict.fine else None,
                "legible": verdict is not None and verdict.legible,
                "log": path,
                "path": shell_word(basis.relative(tournament, path)) if path else None,
            }
        )
    rows.sort(key=lambda row: _numbers(row["match"]))
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row["match"]] += 1
        row["key"] = row["match"] if seen[row["match"]] == 1 else f"{row['match']} {row['path']}"
    return rows


def _without_readable_logs(tournament: Tournament) -> list[Match]:
    """Return the matches of the tournament's own log whose logs could not be read."""
    read = {match.match for match in tournament.matches}
    played = basis.events(tournament, "match_played")
    lost = [event for event in played if event["match"] not in read]
    if not lost or tournament.log is None:
        return []
    names = [entrant["name"] for entrant in tournament.log.start["entrants"]]
    voided = {str(event["attempt"]) for event in basis.events(tournament, "voided")}
    files = {PurePath(file.path).name: file.path for file in tournament.audit.unread}
    return [
        Match(
            path=files.get(f"{event['match']}.jsonl"),
            match=event["match"],
            names=[names[entrant] for entrant in event["seats"]],
            scores=event["scores"],
            winners=event["winners"],
            reason=event["reason"],
            void=event["match"].partition("-")[0] in voided,
            seal=event["seal"],
            faults=[
                (seat, kind, number, None)
                for (seat, kind), number in Counter(
                    (fault["seat"], fault["kind"]) for fault in event["faults"]
                ).items()
            ],
        )
        for event in lost
    ]


def _numbers(match: str) -> list[tuple[int, str]]:
    """Return the numbers in the id of a match: attempt and number, in a contest after the stage.

    Each is its count of digits, and its digits: Python turns no number of 5,000 digits into an int.
    """
    numbers = re.findall(r"0*(\d+)", match)
    return [(len(digits), digits) for digits in numbers]


def _best_first(match: Match) -> list[int]:
    """Return the seats: winners first, then by score."""
    scores, winners = match.scores or [0] * len(match.names), match.winners or ()
    return sorted(range(len(match.names)), key=lambda seat: (seat not in winners, -scores[seat]))


def for_script(rows: Sequence[Row], links: Links) -> dict[str, object]:
    """Return the rows in compact form for the script: names are indexes in a list."""
    names = list(dict.fromkeys(name for row in rows for name in row["names"]))
    index = {name: n for n, name in enumerate(names)}
    return {
        "page_rows": PAGE_ROWS,
        "seats": SEATS,
        "names": names,
        "links": [links.bot(name) for name in names],
        "rows": [
            [
                row["match"],
                [index[row["names"][seat]] for seat in row["order"]],
                [_exact(row["scores"][seat]) for seat in row["order"]] if row["scores"] else None,
                len(row["winners"] or ()),
                row["reason"],
                int(row["void"]),
                [[row["order"].index(seat), *fault] for seat, *fault in row["faults"]],
                row["seal"],
                row["verdict"],
                row["why"],
                row["path"],
                links.match(row["key"]),
            ]
            for row in rows
        ],
    }


def _exact(score: int) -> int | str:
    return score if abs(score) < EXACT else f"{score:,}"
