"""What of a timeline is shown in a terminal, line by line.

Whatever a log holds, no line has anything in it that a terminal would obey.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from games.table import Ask, JointAsk
from replay.render import compact
from replay.timeline import Explanation, Path, Timeline, changes, is_fault
from schema.log_path import printable

Look = Literal["plain", "head", "changed", "fault", "faint"]
"""How a line stands out. None says anything that its text does not say too."""

SAID = ("appended", "appended_base64", "output", "output_base64", "file", "file_base64")
"""The fields that hold what a bot wrote, the most telling first."""


@dataclass(frozen=True)
class Line:
    """One line, as wide as it is."""

    text: str
    look: Look = "plain"

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", printable(self.text))


def title(timeline: Timeline) -> list[Line]:
    """What log this is, with the verdict on it, and why where it is not the one to be hoped for."""
    log, verdict = timeline.log, timeline.verdict
    kind = log.start["match"] if log.kind == "match" else log.start["tournament"]
    word = verdict.verdict if verdict is not None else "not verified"
    lines = [Line(f"{word}  {log.start['rules']}  {log.kind} {kind}  {log.path}", "head")]
    if verdict is not None and verdict.verdict != "verified":
        lines.append(Line(f"{word}: {verdict.reason}", "fault"))
    return lines


def row(timeline: Timeline, seq: int) -> Line:
    """One event in a line; ``!`` marks what a bot failed in."""
    event: Mapping[str, Any] = timeline.steps[seq].event
    bad = is_fault(event)
    wide = len(str(len(timeline) - 1))
    text = f"{seq:>{wide}} {'!' if bad else ' '} {event['type']}  {_told(timeline, event)}"
    return Line(text, "fault" if bad else "plain")


def _told(timeline: Timeline, event: Mapping[str, Any]) -> str:
    """What an event says, in brief."""
    who = f"{_name(timeline, event['seat'])}: " if "seat" in event else ""
    if event["type"] in ("answered", "fault"):
        said = [compact(event[field]) for field in SAID if event.get(field)]
        words = [event["ask"], *[event[key] for key in ("kind", "penalty") if key in event], *said]
        return who + ", ".join(words)
    rest = {key: value for key, value in event.items() if key not in ("type", "seat")}
    return who + ", ".join(f"{key} {compact(value)}" for key, value in rest.items())


def _name(timeline: Timeline, seat: object) -> str:
    """The name of a seat's player, as far as there is one."""
    players = timeline.log.start.get("players", [])
    return next((one["name"] for one in players if one["seat"] == seat), f"seat {seat}")


def details(timeline: Timeline, seq: int) -> list[Line]:
    """All that is known of one event, the most telling first."""
    found = timeline[seq]
    step = found.step
    lines = [
        Line(
            f"event {seq}, line {seq + 1}: {step.event['type']}",
            "fault" if is_fault(step.event) else "head",
        ),
        Line(compact(step.event)),
    ]
    if seq >= timeline.replayed:
        lines.append(Line("as recorded; the rules were not run up to here", "faint"))
    lines += [*_changed(found), *_question(timeline, found)]
    if step.clause:
        lines += [Line(""), Line(f"{step.clause}  {found.clause_text}")]
    return [*lines, *_dice(found), *_state(found)]


def _changed(found: Explanation) -> Iterator[Line]:
    """What of the state is not as before: where, what it was, and what it is."""
    if found.before is None or found.after is None:
        return
    changed = list(changes(found.before, found.after))
    if changed:
        yield Line("")
        yield Line("changed:", "head")
    for path, now in changed:
        yield Line(f"* {_place(path)}: {compact(_at(found.before, path))} → {compact(now)}")


def _place(path: Path) -> str:
    """The way to a value as one would write it: ``players[0].credits``."""
    steps = (f"[{one}]" if isinstance(one, int) else f".{one}" for one in path)
    return "".join(steps).removeprefix(".")


def _at(value: Any, path: Path) -> Any:
    """What is at the end of the way; None if it ends before."""
    for one in path:
        try:
            value = value[one]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _question(timeline: Timeline, found: Explanation) -> Iterator[Line]:
    """What was asked, what was legal, and what was answered, with the evidence."""
    ask, answer = found.ask, found.answer
    if answer is None:
        return
    yield Line("")
    if ask is not None:
        yield Line(f"asked: {_whom(timeline, ask)}, '{ask.name}'", "head")
        for key, value in ask.observation._asdict().items():
            yield Line(f"  {key} {compact(value)}")
        yield Line(f"  legal {compact(ask.legal)}")
    if answer.seq != found.step.seq:
        yield Line(f"answer, event {answer.seq}: {compact(answer.event)}")
    if found.evidence is not None:
        yield Line("evidence, the referee's word (no replay can check it):")
        for key, value in found.evidence.items():
            if key not in ("seq", "seat", "ask"):
                yield Line(f"  {key} {compact(value)}")


def _whom(timeline: Timeline, ask: Ask | JointAsk) -> str:
    if isinstance(ask, JointAsk):
        return "all seats"
    return f"seat {ask.seat} ({_name(timeline, ask.seat)})"


def _dice(found: Explanation) -> Iterator[Line]:
    """The dice cast for the event, each with the command that recomputes it."""
    if found.draws:
        yield Line("")
    for draw, command in found.draws:
        yield Line(f"die '{draw.label}': {draw.outcome}", "head")
        yield Line(f"  $ {command}", "faint")


def _state(found: Explanation) -> Iterator[Line]:
    """The whole state, a line a value; of a list of objects a line for each."""
    if found.after is None:
        return
    yield Line("")
    yield Line("state: (* is what changed)", "head")
    for key, value in found.after.items():
        was = (found.before or {}).get(key)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield Line(f"  {key}")
            for place, one in enumerate(value):
                same = found.before is None or _at(was, (place,)) == one
                yield _marked(f"  {compact(one)}", same)
        else:
            yield _marked(f"{key} {compact(value)}", found.before is None or was == value)


def _marked(text: str, same: bool) -> Line:
    return Line(f"  {text}") if same else Line(f"* {text}", "changed")


def matches(timeline: Timeline, seq: int, wanted: str) -> bool:
    """Whether an event has ``wanted`` in its line or clause, in upper or lower case."""
    step = timeline.steps[seq]
    told = f"{row(timeline, seq).text} {step.clause} {printable(compact(step.event))}"
    return wanted.casefold() in told.casefold()


def faults(timeline: Timeline) -> list[int]:
    """The events in which bots failed."""
    return [step.seq for step in timeline.steps if is_fault(step.event)]
