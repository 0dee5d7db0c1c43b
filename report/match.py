"""The page of one match: a timeline to step through, with what is behind each event.

The page holds the events in pieces, each compressed by itself, and unpacks what is looked at. A
piece begins with a whole state; of each later one only what changed is there.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import orjson

from games.table import Ask, JointAsk
from replay.timeline import Explanation, Timeline, changes
from replay.verify import Verdict, exposed
from report import page as frame
from schema.bot_output import CHANNELS
from schema.canonical import Event
from schema.events import FORMAT
from schema.log_path import path_text

SCRIPTS = ("match_text.js", "match_data.js", "match_state.js", "match_event.js", "match.js")

PIECE = 256
"""How many events a piece holds."""

LONGEST = 4096
"""So many characters of a text are on the page; where there are more, it says so."""

TABLED = 100
"""So many faults and findings are in the tables; the timeline has all of them."""

UNREPLAYED = "As recorded: no rules were run to here, so there is no state, and no die is known."

EXACT = 2**53
"""From here on JavaScript's numbers have gaps."""
_LARGE = re.compile(rb"\d{16}")

Audit = Mapping[str, Any]
"""The outcome of an audit, as ``koth audit --format json`` has it (``koth-audit/1``)."""


def page(timeline: Timeline, verdict: Verdict, audit: Audit) -> str:
    """The page, as HTML, of a match. Equal logs, evidence and findings make equal bytes."""
    log, start = timeline.log, timeline.log.start
    names = [player["name"] for player in start["players"]]
    faults = [
        {"seq": step.seq, **step.event} for step in timeline.steps if step.event["type"] == "fault"
    ]
    findings = sorted(audit["findings"], key=lambda one: -1 if one["seq"] is None else one["seq"])
    return frame.render(
        "match.html",
        f"{log.card.title}, match {start['match']}",
        styles=["match.css"],
        scripts=SCRIPTS,
        kind="Match",
        verdict=verdict,
        names=names,
        players=_players(timeline, faults),
        finish=_finish(timeline),
        facts=_facts(timeline),
        settings=start["settings"],
        audit=audit,
        faults=faults,
        findings=findings,
        tabled=TABLED,
        written=written,
        host=[
            {key: _words(value) for key, value in note.items()}
            for note in timeline.evidence.get("None", ())
        ],
        path=path_text(log.path),
        index=_index(timeline, verdict, faults, findings),
        pieces=_pieces(timeline),
    )


def written(event: Event) -> Iterator[tuple[str, str | bytes]]:
    """What a bot wrote, by channel, as far as an event has it; bytes where it is no UTF-8."""
    for channel in CHANNELS:
        if channel in event:
            yield channel, str(event[channel])
        elif f"{channel}_base64" in event:
            yield channel, b64decode(str(event[f"{channel}_base64"]))


def _finish(timeline: Timeline) -> Event | None:
    """The result, if the log has one."""
    ends = (event for event in reversed(timeline.log.events) if event["type"] == "match_finished")
    return next(ends, None)


def _players(timeline: Timeline, faults: Sequence[Event]) -> list[dict[str, object]]:
    """By seat: who sat there, and how it went."""
    finish: Mapping[str, Any] = _finish(timeline) or {}
    failed = Counter(fault["seat"] for fault in faults)
    return [
        player
        | {
            "score": finish["scores"][player["seat"]] if finish else None,
            "won": player["seat"] in finish.get("winners", ()),
            "faults": failed[player["seat"]],
        }
        for player in timeline.log.start["players"]
    ]


def _facts(timeline: Timeline) -> dict[str, str]:
    """What there is to know of the match besides, by name."""
    start, seed = timeline.log.start, timeline.log.events[-1].get("seed")
    facts = {
        "Rules": start["rules"],
        "Tournament": start["tournament"],
        "Match": start["match"],
        "Events": f"{len(timeline):,}",
        "Format": FORMAT,
    }
    if seed is not None:
        facts["Seed"] = f"{seed}{exposed(str(seed))}"
    if "seed_commitment" in start:
        facts["Committed to, before the match"] = start["seed_commitment"]
    return facts


def _index(
    timeline: Timeline,
    verdict: Verdict,
    faults: Sequence[Event],
    findings: Sequence[Mapping[str, Any]],
) -> dict[str, object]:
    """What the page needs of every event before any piece is unpacked."""
    events = timeline.log.events
    types = list(dict.fromkeys(str(event["type"]) for event in events))
    number = {type: place for place, type in enumerate(types)}
    return {
        "names": [player["name"] for player in timeline.log.start["players"]],
        "types": types,
        "type": [number[str(event["type"])] for event in events],
        "seat": [event.get("seat", -1) for event in events],
        "faults": [fault["seq"] for fault in faults],
        "findings": [one for one in findings if one["seq"] is not None],
        "replayed": timeline.replayed,
        "divergence": _divergence(verdict),
        "unreplayed": UNREPLAYED,
        "piece": PIECE,
        "longest": LONGEST,
        "clauses": timeline.clauses,
        "carriers": {one.event: one.field for one in timeline.log.version.carriers.values()},
    }


def _divergence(verdict: Verdict) -> dict[str, object] | None:
    found = verdict.divergence
    if found is None:
        return None
    values = {"recorded": _plain(found.recorded), "recomputed": _plain(found.recomputed)}
    return {"seq": found.seq, "field": found.field, **values}


def _pieces(timeline: Timeline) -> Iterator[list[dict[str, object]]]:
    """The events, ``PIECE`` at a time."""
    entries = map(_entry, timeline)
    while piece := list(islice(entries, PIECE)):
        yield piece


def _entry(found: Explanation) -> dict[str, object]:
    """One event, with whatever is not so by itself."""
    step, answer = found.step, found.answer
    entry: dict[str, object] = {"event": _plain(step.event)}
    if step.clause:
        entry["clause"] = step.clause
    if answer is not None:
        entry["answer"] = answer.seq
        if answer.seq == step.seq:
            entry |= _asked(found)
    if found.dice:
        entry["dice"] = [die._asdict() for die in found.dice]
    if step.seq % PIECE == 0 or found.before is None or found.after is None:
        entry["state"] = _plain(found.after)
    elif changed := [(path, _plain(value)) for path, value in changes(found.before, found.after)]:
        entry["changes"] = changed
    return entry


def _asked(found: Explanation) -> dict[str, object]:
    """The question to an answer, and what the referee noted of that."""
    asked: dict[str, object] = {}
    if found.ask is not None:
        asked["question"] = _question(found.ask)
    if found.evidence is not None:
        asked["evidence"] = _plain(_noted(found.evidence))
    return asked


def _question(ask: Ask | JointAsk) -> dict[str, object]:
    return {
        "ask": ask.name,
        "observation": _plain(ask.observation._asdict()),
        "legal": _plain(ask.legal),
    }


def _words(value: object) -> str:
    """A value of the evidence as words."""
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {_words(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return str(value)


def _noted(evidence: Mapping[str, object]) -> dict[str, object]:
    """What a note of the referee says, without what it is about."""
    return {key: value for key, value in evidence.items() if key not in ("seq", "seat", "ask")}


def _plain(value: object) -> object:
    """``value`` as JSON that JavaScript reads as it is: no text too long, no number too large."""
    json = orjson.dumps(value)
    if len(json) <= LONGEST and not _LARGE.search(json):
        return orjson.Fragment(json)
    return _bounded(orjson.loads(json))


def _bounded(value: Any) -> Any:
    """The same for what has something in it that is not so: that becomes an object."""
    if isinstance(value, dict):
        return {key: _bounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_bounded(one) for one in value]
    if isinstance(value, str) and len(value) > LONGEST:
        return {"\0cut": value[:LONGEST], "of": len(value)}
    if isinstance(value, int) and abs(value) >= EXACT:
        return {"\0int": str(value)}
    return value
