"""The page of a tournament: how it ended, what that rests on, what was found, and every match."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from replay.verify import exposed
from report import basis, listing, pictures, standings
from report import page as frame
from report.contents import Fault, Tournament
from schema import registry
from schema.errors import UsageError
from schema.seal import files_hash

KINDS = ("timeout", "crash", "illegal", "tampered", "oversize")
"""Of faults, in the order of their columns."""

TOLD = 20
"""So many logs that are not as they should be are told of."""


def page(found: Tournament) -> str:
    """The page, as HTML. Equal contents make equal bytes."""
    rows = listing.rows(found)
    start = found.log.start if found.log else {}
    return frame.render(
        "tournament.html",
        f"{_title(found)}, {start.get('tournament') or PurePath(found.path).name}",
        styles=["tournament.css"],
        scripts=["tournament.js"] if len(rows) > 1 else [],
        kind="Tournament",
        worst=basis.worst(found.verdicts),
        counts=basis.counts(found.verdicts),
        checked=basis.in_pieces(basis.checked(found)),
        unchecked=basis.in_pieces(basis.unchecked(found)),
        wrong=[
            (basis.within(found, one.path) + (f":{one.line}" if one.line else ""), one)
            for one in found.verdicts
            if not one.fine
        ],
        told=TOLD,
        facts=_facts(found, start, rows),
        settings=start.get("settings", {}),
        boards=[standings.board(one) for one in found.boards],
        NO_FILES=files_hash({}),
        caveats=_caveats(found, rows),
        pictures=[pictures.picture(one) for one in found.plots if one.rows],
        faults=_faults(found.faults),
        disqualified=_disqualified(found),
        voided=basis.events(found, "voided"),
        audit=found.audit,
        game=found.game,
        within=lambda path: basis.within(found, path),
        rows=rows,
        at_first=listing.AT_FIRST,
        matches=listing.for_script(rows),
        there=shlex.quote(basis.within(found, found.path)),
        log_there=next((row["path"] for row in rows if row["path"]), None),
    )


def _title(found: Tournament) -> str:
    try:
        return registry.card(found.game).title
    except UsageError:  # a game that is not installed here
        return found.game


def _facts(
    found: Tournament, start: Mapping[str, Any], rows: Sequence[listing.Row]
) -> list[tuple[str, object]]:
    """What there is to know at first, by name."""
    names = {name for row in rows for name in row["names"]}
    facts: list[tuple[str, object]] = [
        ("Rules", start.get("rules", "not known")),
        ("Entrants", len(start["entrants"]) if start else len(names)),
        ("Matches", len(rows)),
        ("Events", sum(one.events or 0 for one in found.verdicts)),
    ]
    if void := sum(row["void"] for row in rows):
        facts.append(("Void matches", void))
    if source := start.get("source"):
        facts.append(("Source", source))
    if commitment := start.get("seed_commitment"):
        seed = found.log.events[-1].get("seed") if found.log else None
        facts.append(("Seed", f"{seed}{exposed(str(seed))}" if seed else "not revealed yet"))
        facts.append(("Seed commitment, its SHA-256", commitment))
    return facts


def _caveats(found: Tournament, rows: Sequence[listing.Row]) -> list[str]:
    """What to know before one trusts the standings, the plots and the counts of faults."""
    told = []
    if basis.unfinished(found):
        told.append("The tournament has not ended.")
    if len(found.matches) < len(rows):
        told.append(
            f"Made from {len(found.matches):,} of {len(rows):,} matches: the logs of the others "
            "could not be read, or are not here."
        )
    there = {one.path for one in found.matches}
    if wrong := sum(not one.fine and one.path in there for one in found.verdicts):
        told.append(f"{basis.count(wrong, 'of these logs is', 'of these logs are')} not verified.")
    return told if found.matches else []


def _faults(faults: Sequence[Fault]) -> dict[str, object]:
    """Faults by bot and kind, who failed most often first."""
    kinds = sorted({one.kind for one in faults}, key=KINDS.index)
    clauses = {kind: sorted({one.clause for one in faults if one.kind == kind}) for kind in kinds}
    counts: dict[str, Counter[str]] = {}
    for one in faults:
        counts.setdefault(one.name, Counter())[one.kind] += one.count
    order = sorted(counts, key=lambda name: (-counts[name].total(), name))
    return {
        "kinds": [(kind, clauses[kind]) for kind in kinds],
        "rows": [
            (name, [counts[name][kind] for kind in kinds], counts[name].total()) for name in order
        ],
    }


def _disqualified(found: Tournament) -> list[tuple[str, str, str]]:
    """Who is out, by the tournament's own log: name, how it failed, and in which match."""
    return [
        (found.log.start["entrants"][event["entrant"]]["name"], event["kind"], event["match"])
        for event in basis.events(found, "disqualified")
        if found.log
    ]
