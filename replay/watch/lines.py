"""The lines that the terminal viewer shows of a timeline.

Bots choose parts of a log, so every line is escaped: none holds a character that a terminal obeys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from typing import Any, Literal, cast

from replay.questions import addressee
from replay.render import beside_lines, compact, note_lines, observed, shown
from replay.timeline import Explanation, Path, Timeline, changes, is_fault
from schema.canonical import Event
from schema.log_path import printable

LineStyle = Literal["plain", "head", "changed", "fault", "faint"]
"""The emphasis of a line. The text of a line says the same without it."""


@dataclass(frozen=True)
class Line:
    """One line of any width; its text is made printable."""

    text: str
    style: LineStyle = "plain"

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", printable(self.text))


def title(timeline: Timeline) -> list[Line]:
    """Return the log's verdict, rules, id and path; and the reason of any verdict but verified."""
    log, verdict = timeline.log, timeline.verdict
    name = log.start[log.kind]
    word = verdict.verdict if verdict is not None else "not verified"
    lines = [Line(f"{word}  {log.start['rules']}  {log.kind} {name}  {log.path}", "head")]
    lines += [Line(timeline.viewer, "head")] if timeline.viewer else []
    if verdict is not None and verdict.verdict != "verified":
        lines.append(Line(f"{word}: {verdict.reason}", "fault"))
    return lines


def row(timeline: Timeline, seq: int) -> Line:
    """Return the sentence of one event in one line."""
    event = timeline.steps[seq].event
    return event_line(seq, event, timeline.narrate(event), len(str(len(timeline) - 1)))


def event_line(seq: int, event: Event, sentence: str, width: int = 1) -> Line:
    """Return an event's ``seq`` in ``width`` columns, and its sentence; ``!`` marks faults."""
    fault = is_fault(event)
    return Line(f"{seq:>{width}} {'!' if fault else ' '} {sentence}", "fault" if fault else "plain")


def board(timeline: Timeline, seq: int, width: int) -> list[Line]:
    """Return the state at an event as a board of text, if the game draws one."""
    return [Line(text) for text in timeline.text_board(timeline.steps[seq].state, width)]


def details(timeline: Timeline, seq: int) -> list[Line]:
    """Return everything known about one event, the most informative first."""
    explanation = timeline[seq]
    step = explanation.step
    style: LineStyle = "fault" if is_fault(step.event) else "head"
    lines = [
        Line(explanation.sentence, style),
        Line(f"{timeline.location(seq)}: {step.event['type']}"),
        Line(shown(step.event), "faint"),
    ]
    if seq >= timeline.replayed:
        lines.append(Line("as recorded; the rules were not run up to here", "faint"))
    lines += [*_changed(explanation), *_question(explanation)]
    if step.clause:
        lines += [Line(""), Line(f"{step.clause}  {explanation.clause_text}")]
    return [*lines, *_dice(explanation), *_state(explanation)]


def _changed(explanation: Explanation) -> Iterator[Line]:
    """Yield each changed value of the state: its path, the old value and the new one."""
    before, after = explanation.before, explanation.after
    if before is None or after is None:
        return
    changed = list(changes(before, after))
    if changed:
        yield Line("")
        yield Line("changed:", "head")
    for path, value in changed:
        old = reduce(getitem, path, cast(Any, before))
        yield Line(f"* {_path_text(path)}: {compact(old)} → {compact(value)}")


def _path_text(path: Path) -> str:
    """Return a path in the usual notation: ``players[0].credits``."""
    steps = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    return "".join(steps).removeprefix(".")


def _question(explanation: Explanation) -> Iterator[Line]:
    """Yield the question, the legal answers, the answer, and its evidence."""
    ask, answer = explanation.ask, explanation.answer
    if answer is None:
        return
    yield Line("")
    if ask is not None:
        yield Line(f"asked: {addressee(explanation.log, ask)}, '{ask.name}'", "head")
        for key, value in ask.observation._asdict().items():
            yield Line(f"  {key} {observed(key, value)}")
        yield Line(f"  legal {compact(ask.legal)}")
    if answer.seq != explanation.step.seq:
        yield Line(f"answer, event {answer.seq}: {shown(answer.event)}")
    yield from map(Line, beside_lines(explanation))
    if explanation.notes:
        yield Line("evidence, the referee's word (no replay can check it):")
        yield from map(Line, note_lines(explanation))


def _dice(explanation: Explanation) -> Iterator[Line]:
    """Yield the dice cast for the event, each with the command that recomputes it."""
    if explanation.draws:
        yield Line("")
    for draw, command in explanation.draws:
        yield Line(f"die '{draw.label}': {draw.outcome}", "head")
        yield Line(f"  $ {command}", "faint")


def _state(explanation: Explanation) -> Iterator[Line]:
    """Yield the whole state, one line per value; for a list of objects, one line per object."""
    if explanation.after is None:
        return
    before = explanation.before
    yield Line("")
    yield Line("state: (* is what changed)", "head")
    for key, value in explanation.after.items():
        old = (before or {}).get(key)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield Line(f"  {key}")
            items = old if isinstance(old, list) else []
            for index, item in enumerate(value):
                same = before is None or items[index : index + 1] == [item]
                yield _value_line(f"  {compact(item)}", same)
        else:
            yield _value_line(f"{key} {compact(value)}", before is None or old == value)


def _value_line(text: str, same: bool) -> Line:
    return Line(f"  {text}") if same else Line(f"* {text}", "changed")


def contains(timeline: Timeline, seq: int, text: str) -> bool:
    """Return whether an event's line, clause or JSON contains ``text``; case does not matter."""
    step = timeline.steps[seq]
    event = f"{row(timeline, seq).text} {step.clause} {printable(compact(step.event))}"
    return text.casefold() in event.casefold()


def faults(timeline: Timeline) -> list[int]:
    """Return the events that are faults, or report or follow from one."""
    return [step.seq for step in timeline.steps if is_fault(step.event)]
