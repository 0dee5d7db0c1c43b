"""Show events with their states and causes: ``koth.replay`` and ``koth.explain``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.narration import Narrator
from koth.library import html
from koth.library.paths import AnyPath, as_int, as_path, raises_koth_errors
from replay import explain as explaining
from replay import render
from replay.partial_log import read_sealed
from replay.state import state_at
from schema import discovery
from schema.log_path import LogPath, path_text
from schema.reader import Log


@dataclass(frozen=True)
class Event:
    """One event of a log as the rules compute it again, with the state at that moment.

    ``str()`` is the text that ``koth replay`` prints.
    """

    log: str
    """The path of the log."""
    sentence: str
    """The event in plain words."""
    seq: int
    """The number of the event, from 0."""
    event: Mapping[str, Any]
    """The event as the log holds it, without ``seq``."""
    clause: str
    """The clause that it rests on; empty for the first and the last event of a log."""
    state: Mapping[str, object] | None
    """The state when the rules emitted the event, as JSON values; None if they keep none."""
    text: str = field(repr=False)
    """The text of the command."""
    json: str = field(repr=False)
    """The same as a JSON object that names its format."""

    @property
    def type(self) -> str:
        """The type of the event, such as ``answered``."""
        return str(self.event["type"])

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return html.block(*_head(self), html.values(self.state))


@dataclass(frozen=True)
class Explanation:
    """One event with everything that led to it, with the fields of ``koth explain --format json``.

    ``str()`` is the text that ``koth explain`` prints.
    """

    log: str
    """The path of the log."""
    sentence: str
    """The event in plain words."""
    seq: int
    """The number of the event, from 0."""
    event: Mapping[str, Any]
    """The event as the log holds it, without ``seq``."""
    clause: str
    """The clause that it rests on; empty for the first and the last event of a log."""
    clause_text: str
    """The text of the clause in the rulebook."""
    asked: Mapping[str, Any] | None
    """The last question to its seat: ``seat``, ``ask``, ``observation``, ``legal``."""
    answer: Mapping[str, Any] | None
    """The event with the answer to it."""
    beside: Sequence[int]
    """The numbers of the events with the other answers, if several seats were asked at once."""
    evidence: Mapping[str, Any] | None
    """The referee's note on that answer; no replay can check it."""
    notes: Sequence[Mapping[str, Any]]
    """All notes on that answer: several if it is the answer of all seats."""
    dice: Sequence[Mapping[str, str]]
    """The dice cast for the event: ``label``, ``outcome``, and a ``command`` that recomputes it."""
    before: Mapping[str, object] | None
    """The state at the event before."""
    after: Mapping[str, object] | None
    """The state at this event."""
    text: str = field(repr=False)
    """The text of the command."""
    json: str = field(repr=False)
    """The same as a JSON object that names its format."""

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        changed = render.state_changes(self.before, self.after)
        parts = (
            ("Question", self.asked, True),
            ("Answer", self.answer, True),
            ("Evidence, the referee's word", self.evidence, False),
            ("Before", self.before, False),
            ("After: what changed", changed, True),
        )
        dice = [(html.text(d["label"]), html.text(d["outcome"]), _command(d)) for d in self.dice]
        return html.block(
            *_head(self),
            f"{html.strong(self.clause)} {html.text(self.clause_text)}" if self.clause else "",
            *(html.details(name, html.values(of), shown=shown) for name, of, shown in parts if of),
            html.table(("die", "outcome", "command"), dice) if dice else "",
        )


MATCH = ", or the match with match=…"
"""The remedy for a folder with several logs."""


@raises_koth_errors
def replay(path: AnyPath, at: int | None = None) -> Event:
    """Run the rules of a log up to the event ``at``; return that event with its state.

    ``at`` is the number of an event from 0; without it, the last event that the rules emitted.
    Nothing after it is checked. Raises KothError if there is no such log or event, if the log
    cannot be replayed (it has no seal, or was imported), or if it diverges before ``at``.
    """
    number = None if at is None else as_int(at, "at")
    return event_at(discovery.log(as_path(path)), number)


def event_at(log: LogPath, at: int | None) -> Event:
    """Return the event ``at`` of a log with its state. Raises the errors of :func:`replay`."""
    recorded = read_sealed(log)
    step = state_at(recorded, at)
    sentence = Narrator(recorded.card, recorded.start)(step.event)
    return Event(
        log=path_text(recorded.path),
        sentence=sentence,
        **render.step_fields(step),
        state=step.state,
        text=render.state_text(step, sentence),
        json=render.state_json(step, sentence),
    )


@raises_koth_errors
def explain(
    path: AnyPath, seq: int | None = None, *, match: str | int | None = None
) -> Explanation:
    """Explain the event ``seq`` of a log: clause, question, answer, dice, before and after.

    Without ``seq`` it explains the first fault, or the last decision if no bot failed. In a folder
    or bundle, ``match`` names the match by its id or number, such as ``1-000017`` or 17. Raises
    KothError as :func:`replay` does, and if not exactly one log has that name.
    """
    place, number = as_path(path), None if seq is None else as_int(seq, "seq")
    recorded = read_sealed(discovery.log(place, MATCH) if match is None else _match(place, match))
    if number is None:
        number = events_to_explain(recorded)[0]
    ruling = explaining.explain(recorded, number)
    return Explanation(
        **render.explanation_fields(ruling),
        text=render.explanation_text(ruling),
        json=render.explanation_json(ruling),
    )


def _match(place: Path, match: str | int) -> LogPath:
    return discovery.match_log(
        place, match if isinstance(match, str) else str(as_int(match, "match"))
    )


def events_to_explain(log: Log) -> Sequence[int]:
    """Return the faults of a log, or its last decision if no bot failed."""
    return explaining.faults(log) or [explaining.last_decision(log)]


def _head(event: Event | Explanation) -> Iterable[str]:
    """Yield the sentence, the place, and the raw event."""
    yield html.strong(event.sentence)
    clause = f", {event.clause}" if event.clause else ""
    yield html.text(f"event {event.seq}{clause}, {event.log}:{event.seq + 1}")
    yield html.details("the event in the log", html.code(event.event))


def _command(die: Mapping[str, str]) -> str:
    return f"<code>{html.text(die['command'])}</code>"
