"""The page of a tournament: standings, verification, faults, audit, and every match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from audit.run_rules import by_rule
from replay.one_log import exposed
from replay.verdicts import worst
from report import basis, listing, pictures, standings
from report import page as frame
from report.contents import FaultCount, Tournament
from report.links import Links
from schema import registry
from schema.errors import UsageError
from schema.log_path import shell_word

KINDS = ("timeout", "crash", "illegal", "tampered", "oversize")
"""The kinds of faults, in the order of their columns."""

STAGES_LISTED = 200
"""Number of stages that the page of a contest lists, the last first."""

BOTS_LISTED = 80
"""Number of bots in the tables of a page of a site; a list has all bots."""

FINDINGS_SHOWN = 3
"""Number of findings of a rule that the page shows."""

LOGS_LISTED = 20
"""Number of logs with findings that the page names."""


def page(
    tournament: Tournament,
    links: Links | None = None,
    rows: Sequence[listing.Row] | None = None,
    all_matches: str | None = None,
    heading: str | None = None,
    downloads: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the page as HTML. Equal contents give equal bytes.

    ``rows`` are those of :mod:`report.listing`, if they are made already. ``all_matches`` is a link
    to a list of all matches, which replaces the list on the page. ``heading`` replaces the game's
    title and the tournament's id, and ``downloads`` are further links, as (text, link).
    """
    rows = listing.rows(tournament) if rows is None else rows
    on_page = [] if all_matches else rows
    start = tournament.log.start if tournament.log else {}
    most = None if links is None else BOTS_LISTED
    bots = standings.bots(tournament.standings)
    return frame.render(
        "tournament.html",
        heading or ", ".join(filter(None, [title(tournament), _name(tournament)])),
        styles=["tournament.css"],
        scripts=["tournament.js"] if len(on_page) > 1 else [],
        links=links,
        kind="Contest" if basis.is_contest(tournament) else "Tournament",
        game_title=heading or title(tournament),
        downloads=downloads,
        entrants=_entrants(tournament, rows),
        ranked=_ranked(tournament),
        leaders=standings.leaders(tournament.standings[0]) if tournament.standings else [],
        open_contest=basis.is_open_contest(tournament),
        unfinished=basis.unfinished(tournament),
        conclusion=basis.conclusion(tournament),
        worst=worst(tournament.verdicts).verdict,
        counts=basis.counts(tournament.verdicts),
        checked=basis.split_code(basis.checked(tournament)),
        unchecked=basis.split_code(basis.unchecked(tournament)),
        problems=_problems(tournament),
        stages=tournament.stages[: -1 - STAGES_LISTED : -1],
        stages_left_out=max(0, len(tournament.stages) - STAGES_LISTED),
        logs_listed=LOGS_LISTED,
        facts=_facts(tournament, start, rows),
        settings=start.get("settings", {}),
        standings=[standings.table(table, most) for table in tournament.standings],
        bots=bots[:most],
        bots_left_out=len(bots) - len(bots[:most]),
        caveats=_caveats(tournament, rows),
        pictures=[pictures.picture(plot, links) for plot in tournament.plots if plot.rows],
        faults=_faults(tournament.faults),
        most=most,
        disqualified=_disqualified(tournament),
        voided=basis.events(tournament, "voided"),
        audit=tournament.audit,
        broken=by_rule(tournament.audit.findings),
        findings_shown=FINDINGS_SHOWN,
        game=tournament.game,
        relative=lambda path: basis.relative(tournament, path),
        rows=rows,
        all_matches=all_matches,
        page_rows=listing.PAGE_ROWS if links is None else len(rows),
        sql_table="schedule" if tournament.log and not basis.unfinished(tournament) else "matches",
        matches=listing.for_script(on_page, links or Links()),
        path=shell_word(basis.relative(tournament, tournament.path)),
        example_log=next((row["path"] for row in rows if row["path"]), None) if not links else None,
    )


def _id(start: Mapping[str, Any]) -> str:
    return str(start.get("tournament") or start.get("contest") or "")


def _name(tournament: Tournament) -> str:
    """Return the id of the tournament, or else the name of its folder, if the path has one."""
    start = tournament.log.start if tournament.log else {}
    folder = PurePath(tournament.path).name
    return _id(start) or ("" if folder == ".." else folder)


def title(tournament: Tournament) -> str:
    """Return the title of the game."""
    try:
        return registry.card(tournament.game).title
    except UsageError:  # a game that is not installed here
        return tournament.game


def _problems(tournament: Tournament) -> list[tuple[str, str, str, str]]:
    """Return location, path, verdict and reason for each log whose verdict is a finding."""
    return [
        (
            basis.relative(tournament, verdict.path) + (f":{verdict.line}" if verdict.line else ""),
            verdict.path,
            verdict.verdict,
            verdict.reason,
        )
        for verdict in tournament.verdicts
        if not verdict.fine
    ]


def _facts(
    tournament: Tournament, start: Mapping[str, Any], rows: Sequence[listing.Row]
) -> list[tuple[str, object]]:
    """Return the facts about the origin of the logs, by name."""
    facts: list[tuple[str, object]] = [
        ("Rules", start.get("rules", "not known")),
        ("Contest" if basis.is_contest(tournament) else "Tournament", _id(start) or "not known"),
        ("Entrants", _entrants(tournament, rows)),
        ("Matches", len(rows)),
        ("Events", sum(verdict.events or 0 for verdict in tournament.verdicts)),
    ]
    if void := sum(row["void"] for row in rows):
        facts.append(("Void matches", void))
    if source := start.get("source"):
        facts.append(("Source", source))
    if basis.is_contest(tournament):
        facts.append(("Stages", len(basis.events(tournament, "stage_finished"))))
        facts.append(("Head of the chain of seeds", start["seed_commitment"]))
    elif commitment := start.get("seed_commitment"):
        seed = tournament.log.events[-1].get("seed") if tournament.log else None
        facts.append(("Seed", f"{seed}{exposed(str(seed))}" if seed else "not revealed yet"))
        facts.append(("Seed commitment, its SHA-256", commitment))
    return facts


def _entrants(tournament: Tournament, rows: Sequence[listing.Row]) -> int:
    """Return the number of bots, by the tournament's log if it is here.

    In a contest it is that of the bots that played; before the first match, that of those in it.
    """
    if tournament.log and "entrants" in tournament.log.start:
        return len(tournament.log.start["entrants"])
    if rows:
        return len({name for row in rows for name in row["names"]})
    names = set[object]()
    for event in tournament.log.events if tournament.log else ():
        if event["type"] in ("entered", "withdrawn"):
            names ^= {event["name"]}
    return len(names)


def _ranked(tournament: Tournament) -> int | None:
    """Return the number of bots in the standings of a contest, from which some were withdrawn."""
    if not basis.is_contest(tournament) or not tournament.standings:
        return None
    return len(tournament.standings[0].rows)


def _caveats(tournament: Tournament, rows: Sequence[listing.Row]) -> list[str]:
    """Return warnings about the standings, the plots and the numbers of faults."""
    sentences = []
    if basis.unfinished(tournament):
        part = "A stage of the contest" if basis.is_contest(tournament) else "The tournament"
        sentences.append(f"{part} has not ended.")
    if any(not event["standings"] for event in basis.events(tournament, "tournament_finished")):
        sentences.append("There is no final table: too few bots were left.")
    if len(tournament.matches) < len(rows):
        sentences.append(
            f"Made from {len(tournament.matches):,} of {len(rows):,} matches: the logs of the "
            "others are missing or could not be read."
        )
    if tournament.waiting:
        sentences.append(f"{tournament.waiting[0].upper()}{tournament.waiting[1:]}.")
    read = {match.path for match in tournament.matches}
    problems = [
        verdict for verdict in tournament.verdicts if not verdict.fine and verdict.path in read
    ]
    if problems:
        logs = basis.count(len(problems), "of these logs is", "of these logs are")
        sentences.append(f"{logs} not verified.")
    return sentences if tournament.matches else []


def _faults(faults: Sequence[FaultCount]) -> dict[str, object]:
    """Return faults by bot and kind, most faults first."""
    kinds = sorted({fault.kind for fault in faults}, key=KINDS.index)
    clauses = {
        kind: sorted({fault.clause for fault in faults if fault.kind == kind}) for kind in kinds
    }
    counts: dict[str, Counter[str]] = {}
    for fault in faults:
        counts.setdefault(fault.name, Counter())[fault.kind] += fault.count
    order = sorted(counts, key=lambda name: (-counts[name].total(), name))
    return {
        "kinds": [(kind, clauses[kind]) for kind in kinds],
        "rows": [
            (name, [counts[name][kind] for kind in kinds], counts[name].total()) for name in order
        ],
    }


def _disqualified(tournament: Tournament) -> list[tuple[str, str, str]]:
    """Return each disqualified bot with the kind of its fault and the match."""
    return [
        (tournament.log.start["entrants"][event["entrant"]]["name"], event["kind"], event["match"])
        for event in basis.events(tournament, "disqualified")
        if tournament.log
    ]
