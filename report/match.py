"""The page of one match: a timeline to step through, with the causes of each event.

The page holds the events in chunks, each compressed separately, and unpacks those that are shown. A
chunk begins with a whole state; each later state is stored as its changes.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson
from markupsafe import Markup

from replay.evidence import Note, observations, seat_of
from replay.faults import player_of, players_of
from replay.log_verdict import LogVerdict
from replay.one_log import exposed
from replay.questions import question_fields
from replay.timeline import Course, Explanation, changes
from report import page as frame
from report.links import Links
from report.page import EXACT
from schema.bot_output import CHANNELS
from schema.canonical import Event
from schema.events import FORMAT
from schema.log_path import path_text, printable

SCRIPTS = ("match_text.js", "match_data.js", "match_state.js", "match_event.js", "match.js")

CHUNK = 256
"""Number of events in a chunk."""

LONGEST = 4096
END = 256
"""Maximum characters of a text on the page: at its beginning, and at its end. The rest is cut."""

TABLE_ROWS = 100
"""Maximum rows of the tables of faults and findings; the timeline shows all."""

NAMED_PLAYERS = 4
"""Maximum players that the first sentence names."""

NOT_REPLAYED = "As recorded: the rules were not run up to here, so state and dice are not known."

_LARGE = re.compile(rb"\d{16}")

Audit = Mapping[str, Any]
"""The outcome of an audit, as in ``koth audit --format json`` (``koth-audit/1``)."""


@dataclass(frozen=True)
class Chunks:
    """All events of a match, compressed, ``CHUNK`` at a time."""

    packed: Sequence[Markup]
    not_by_seat: Sequence[str]
    """The lists of the state that do not always have one entry for each seat."""


def page(
    course: Course,
    verdict: LogVerdict,
    audit: Audit,
    links: Links | None = None,
    chunks: Chunks | None = None,
    *,
    is_void: bool = False,
) -> str:
    """Return the page of a match as HTML. Equal logs, evidence and findings give equal bytes.

    ``chunks`` come from :func:`chunks_of`, without those that the page does not hold itself. By
    default, it holds all. ``is_void`` says that the match does not count in its tournament.
    """
    log, start = course.log, course.log.start
    if chunks is None:
        chunks = chunks_of(course)
    names = [player["name"] for player in start["players"]]
    events = enumerate(log.events)
    players = players_of(start)
    faults = [
        {"seq": seq, "player": player_of(players, event)["name"], **event}
        for seq, event in events
        if event["type"] == "fault"
    ]
    findings = sorted(audit["findings"], key=_sort_key)
    return frame.render(
        "match.html",
        f"{log.card.title}, match {start['match']}",
        styles=["match.css"],
        scripts=SCRIPTS,
        board=log.card.board_module(),
        rulebook=(log.card.name, course.clauses),
        links=links,
        kind="Match",
        verdict=verdict,
        names=names,
        players=_players(course, faults),
        finish=_finish(course),
        is_void=is_void,
        facts=_facts(course),
        settings=start["settings"],
        audit=audit,
        faults=faults,
        findings=findings,
        table_rows=TABLE_ROWS,
        named_players=NAMED_PLAYERS,
        output=output,
        match_notes=[
            {key: _words(value) for key, value in note.items()}
            for note in course.evidence.get("None", ())
        ],
        path=path_text(log.path.name),
        match=start["match"],
        index=_index(course, verdict, faults, findings)
        | {"not_by_seat": chunks.not_by_seat}
        | ({"clauses": course.clauses} if links is None else {"files": links.chunks}),
        chunks=chunks.packed,
    )


def _sort_key(finding: Mapping[str, Any]) -> int:
    """Return the sort key of a finding: findings about the whole log come first."""
    return -1 if finding["seq"] is None else int(finding["seq"])


def output(event: Event) -> Iterator[tuple[str, str | bytes]]:
    """Yield the bot's output in an event, by channel; bytes if it is not UTF-8."""
    for channel in CHANNELS:
        if channel in event:
            yield channel, str(event[channel])
        elif f"{channel}_base64" in event:
            yield channel, b64decode(str(event[f"{channel}_base64"]))


def _finish(course: Course) -> Event | None:
    """Return the result, if the log has one."""
    events = reversed(course.log.events)
    return next((event for event in events if event["type"] == "match_finished"), None)


def _players(course: Course, faults: Sequence[Event]) -> list[dict[str, object]]:
    """Return the players by seat, with their results."""
    finish: Mapping[str, Any] = _finish(course) or {}
    counts = Counter(fault["seat"] for fault in faults)
    return [
        player
        | {
            "score": finish["scores"][player["seat"]] if finish else None,
            "won": player["seat"] in finish.get("winners", ()),
            "faults": counts[player["seat"]],
        }
        for player in course.log.start["players"]
    ]


def _facts(course: Course) -> dict[str, str]:
    """Return the facts about the origin of the log, by name."""
    start, seed = course.log.start, course.log.events[-1].get("seed")
    facts = {
        "Rules": start["rules"],
        "Tournament": start["tournament"],
        "Match": start["match"],
        "Events": f"{len(course.log.events):,}",
        "Format": FORMAT,
    }
    if seed is not None:
        facts["Seed"] = f"{seed}{exposed(str(seed))}"
    if "seed_commitment" in start:
        facts["Seed commitment, its SHA-256"] = start["seed_commitment"]
    return facts


def _index(
    course: Course,
    verdict: LogVerdict,
    faults: Sequence[Event],
    findings: Sequence[Mapping[str, Any]],
) -> dict[str, object]:
    """Return the data about all events that the page needs before it unpacks a chunk."""
    events = course.log.events
    names = [player["name"] for player in course.log.start["players"]]
    types = list(dict.fromkeys(str(event["type"]) for event in events))
    number = {type: index for index, type in enumerate(types)}
    return {
        "names": names,
        "printable": [*map(printable, names)],
        "isolated": "|".join(map(re.escape, frame.names_from_the_right(names))),
        "types": types,
        "type": [number[str(event["type"])] for event in events],
        "seat": [event.get("seat", -1) for event in events],
        "faults": [fault["seq"] for fault in faults],
        "findings": [finding for finding in findings if finding["seq"] is not None],
        "replayed": course.replayed,
        "divergence": _divergence(verdict),
        "not_replayed": NOT_REPLAYED,
        "chunk": CHUNK,
        "carriers": {
            carrier.event: carrier.field for carrier in course.log.version.carriers.values()
        },
    }


def _divergence(verdict: LogVerdict) -> dict[str, object] | None:
    if (divergence := verdict.divergence) is None:
        return None
    return {
        "seq": divergence.seq,
        "field": divergence.field,
        "recorded": _plain(divergence.recorded),
        "recomputed": _plain(divergence.recomputed),
    }


def chunks_of(course: Course) -> Chunks:
    """Take all of ``course``, and return its events in compressed form."""
    seats = len(course.log.start["players"])
    not_by_seat: set[str] = set()

    def entries() -> Iterator[dict[str, object]]:
        for explanation in course:
            for key, value in (explanation.after or {}).items():
                if isinstance(value, list) and len(value) not in (0, seats):
                    not_by_seat.add(key)
            yield _entry(explanation)

    rest = entries()
    packed = [frame.packed(chunk) for chunk in iter(lambda: [*islice(rest, CHUNK)], [])]
    return Chunks(packed, sorted(not_by_seat))


def _entry(explanation: Explanation) -> dict[str, object]:
    """Return one event with its causes, as far as it has any."""
    step, answer = explanation.step, explanation.answer
    before, after = explanation.before, explanation.after
    entry: dict[str, object] = {"event": _plain(step.event), "sentence": explanation.sentence}
    if step.clause:
        entry["clause"] = step.clause
    if answer is not None:
        entry["answer"] = answer.seq
        if answer.seq == step.seq:
            entry |= _question(explanation)
    if explanation.dice:
        entry["dice"] = [die._asdict() for die in explanation.dice]
    if step.seq % CHUNK == 0 or before is None or after is None:
        entry["state"] = _plain(after)
    elif changed := [(path, _plain(value)) for path, value in changes(before, after)]:
        entry["changes"] = changed
    return entry


def _question(explanation: Explanation) -> dict[str, object]:
    """Return the question of an answer, and the referee's notes on the answer."""
    entry: dict[str, object] = {}
    if explanation.ask is not None:
        fields = question_fields(explanation.ask)
        entry["question"] = {key: _plain(fields[key]) for key in ("ask", "observation", "legal")}
    if explanation.notes:
        players = len(explanation.log.start["players"])
        entry["notes"] = [_note(note, players) for note in explanation.notes]
    return entry


def _note(note: Note, players: int) -> object:
    """Return a note on an answer, with its seat and the bot's standard error apart."""
    values = observations(note)
    stderr = values.pop("stderr", "")
    return _plain(
        {
            "seat": seat_of(note, players),
            "stderr": stderr if isinstance(stderr, str) else "",
            "values": values,
        }
    )


def _words(value: object) -> str:
    """Return a value of the evidence in words."""
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {_words(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return str(value)


def _plain(value: object) -> object:
    """Return ``value`` as JSON that JavaScript reads exactly: no large numbers, no long texts."""
    json = orjson.dumps(value)
    if len(json) <= LONGEST and not _LARGE.search(json):
        return orjson.Fragment(json)
    return _bounded(orjson.loads(json))


def _bounded(value: Any) -> Any:
    """Return ``value`` with each large number and long text replaced by an object."""
    if isinstance(value, dict):
        return {key: _bounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_bounded(item) for item in value]
    if isinstance(value, str) and len(value) > LONGEST + END:
        return {"\0cut": value[:LONGEST], "end": value[-END:], "of": len(value)}
    if isinstance(value, int) and abs(value) >= EXACT:
        return {"\0int": str(value)}
    return value
