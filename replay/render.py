"""What the replay has to say, as text for people and as versioned JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from math import ceil
from shlex import quote
from typing import Any

import orjson

from games.table import Ask, JointAsk
from replay.diff import Difference
from replay.evidence import PLACE
from replay.faults import Counts, together
from replay.reask import Reasked
from replay.rerun import Divergence, Step
from replay.timeline import Explanation
from replay.verify import Verdict
from schema import discovery
from schema.canonical import Event
from schema.log_path import path_text, printable
from schema.words import counted


def json(format: str, **content: object) -> str:
    """``content`` as one JSON object that names its own format."""
    return orjson.dumps({"format": format, **content}, option=orjson.OPT_INDENT_2).decode()


def compact(value: object) -> str:
    """A value as it would stand in a log."""
    return orjson.dumps(value).decode()


def text(lines: Iterable[str]) -> str:
    """Lines as one text for people; nothing in it is a line that it was not meant to be."""
    return "\n".join(map(printable, lines))


def fields(values: Mapping[str, object] | None, indent: str = "  ") -> list[str]:
    """A line for each value; a list of objects has a line for each of them."""
    if values is None:
        return [f"{indent}(none)"]
    width = max(map(len, values), default=0)
    lines = []
    for key, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines.append(f"{indent}{key}")
            lines += [f"{indent}  {compact(item)}" for item in value]
        else:
            lines.append(f"{indent}{key:{width}}  {compact(value)}")
    return lines


def values(values: Mapping[str, Any]) -> str:
    """Some values in one line."""
    return ", ".join(f"{key} {compact(value)}" for key, value in values.items())


def evidence(note: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
    """What a note says, and the lines of the bot's standard error, if there is some."""
    said = {key: value for key, value in note.items() if key not in (*PLACE, STDERR)}
    stderr = note.get(STDERR)
    if not isinstance(stderr, str) or not stderr:
        return said, []
    return said, ["stderr:", *(f"  {line}" for line in stderr.splitlines())]


def changes(
    before: Mapping[str, object] | None, after: Mapping[str, object] | None
) -> Mapping[str, object] | None:
    """What of a state is not as before; of a list of objects those that are not."""
    if before is None or after is None:
        return after
    changed: dict[str, object] = {}
    for key, value in after.items():
        was = before.get(key)
        if value == was:
            continue
        if isinstance(value, list) and isinstance(was, list) and was and isinstance(was[0], dict):
            changed[key] = [item for item in value if item not in was]
        else:
            changed[key] = value
    return changed


def summary(faults: Counts) -> str:
    """``3 faults: fumbler 2 crash, 1 illegal; other 1 timeout``: most first."""
    number = sum(sum(kinds.values()) for kinds in faults.values())
    if not number:
        return "no faults"
    told = (f"{name} {kinds_text(kinds)}" for name, kinds in faults.items())
    return f"{counted(number, 'fault')}: {'; '.join(told)}"


def kinds_text(kinds: Mapping[str, int]) -> str:
    """``2 crash, 1 illegal``."""
    return ", ".join(f"{number} {kind}" for kind, number in kinds.items())


STDERR = "stderr"
"""What a bot wrote to standard error, in the evidence."""


# --- verify --------------------------------------------------------------------------------------


def verdicts_json(verdicts: Sequence[Verdict]) -> str:
    """``koth-verify/1``: one entry a log, and how often each verdict was given."""
    logs = [
        asdict(v) | {"path": path_text(v.path), "reason": path_text(v.reason)} for v in verdicts
    ]
    return json("koth-verify/1", logs=logs, counts=counts(verdicts))


def counts(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """How often each verdict was given."""
    return dict(sorted(Counter(verdict.verdict for verdict in verdicts).items()))


def verdicts_text(verdicts: Sequence[Verdict]) -> str:
    """A line for each log, the whole divergence below it where there is one, faults, and a sum."""
    lines = []
    for verdict in verdicts:
        where = verdict.path if verdict.line is None else f"{verdict.path}:{verdict.line}"
        lines.append(f"{verdict.verdict}  {where}: {verdict.reason}")
        if verdict.divergence is not None:
            lines += divergence(verdict.divergence)
    if faults := together(verdict.faults for verdict in verdicts):
        lines.append(f"{summary(faults)}; see `koth faults`")
    total = ", ".join(f"{count} {verdict}" for verdict, count in counts(verdicts).items())
    return text([*lines, f"{counted(len(verdicts), 'log')}: {total}"])


def divergence(found: Divergence) -> list[str]:
    """A divergence in full: both events, those before them, and the state."""
    return [
        f"  line {found.line}, event {found.seq}, field {found.field}",
        f"  recorded    {compact(found.recorded)}",
        f"  recomputed  {compact(found.recomputed)}",
        f"  clause      {found.clause or '(none)'}",
        "  the events before it:",
        *(f"    {compact(event)}" for event in found.before),
        "  the event as recorded, and as recomputed:",
        f"    {compact(found.event_recorded)}",
        f"    {compact(found.event_recomputed)}",
        "  the state there:",
        *fields(found.state, "    "),
    ]


# --- replay --at ---------------------------------------------------------------------------------


def state_json(step: Step) -> str:
    """``koth-replay/1``: the event and the state when it was emitted."""
    return json("koth-replay/1", **_step(step), state=step.state)


def state_text(step: Step) -> str:
    """The event, and the state as a table."""
    return text([f"event {step.seq}: {compact(step.event)}", *fields(step.state)])


def _step(step: Step) -> dict[str, object]:
    return {"seq": step.seq, "event": step.event, "clause": step.clause}


# --- explain -------------------------------------------------------------------------------------


def explanation_json(found: Explanation) -> str:
    """``koth-explain/1``: one ruling with everything that led to it."""
    return json("koth-explain/1", **_explanation(found))


def explanations_json(found: Sequence[Explanation]) -> str:
    """``koth-explanations/1``: several rulings, each as in ``koth-explain/1``."""
    return json("koth-explanations/1", explanations=[*map(_explanation, found)])


def _explanation(found: Explanation) -> dict[str, object]:
    ask, answer = found.ask, found.answer
    return {
        "log": path_text(found.log.path),
        **_step(found.step),
        "clause_text": found.clause_text,
        "asked": None if ask is None else _ask(ask),
        "answer": None if answer is None else {"seq": answer.seq, **answer.event},
        "evidence": found.evidence,
        "dice": [
            {"label": draw.label, "outcome": draw.outcome, "command": command}
            for draw, command in found.draws
        ],
        "before": found.before,
        "after": found.after,
    }


def _ask(ask: Ask | JointAsk) -> dict[str, object]:
    return {
        "seat": ask.seat if isinstance(ask, Ask) else None,
        "ask": ask.name,
        "observation": ask.observation._asdict(),
        "legal": ask.legal,
    }


def explanation_text(found: Explanation) -> str:
    """One ruling: what, why, on what answer, with which dice, from where to where."""
    step = found.step
    lines = [
        f"{found.log.path}, line {step.seq + 1}",
        f"event {step.seq}: {compact(step.event)}",
    ]
    if step.clause:
        lines += ["", f"{step.clause}  {found.clause_text}"]
    if found.is_fault:
        lines += ["", f"settings: {values(found.log.start['settings'])}"]
    if step.event["type"] == "match_played":
        home = quote(path_text(discovery.home(found.log.path)))
        lines += ["", "the match itself:", f"  $ koth explain {home} {step.event['match']}"]
    if found.ask is not None and found.answer is not None:
        lines += ["", *_question(found, found.ask, found.answer)]
    if found.evidence is not None:
        lines += ["", "evidence, the referee's word (no replay can check it):"]
        said, stderr = evidence(found.evidence)
        lines += [*fields(said), *(f"  {line}" for line in stderr)]
    for draw, command in found.draws:
        lines += ["", f"die '{draw.label}': {draw.outcome}", f"  $ {command}"]
    if found.before is not None or found.after is not None:
        changed = changes(found.before, found.after)
        lines += ["", "before:", *fields(found.before)]
        lines += ["after: (what changed)", *fields(changed)] if changed else ["after: (the same)"]
    return text(lines)


def _question(found: Explanation, ask: Ask | JointAsk, answer: Step) -> list[str]:
    asked = "all seats"
    if isinstance(ask, Ask):
        asked = f"seat {ask.seat} ({found.log.start['players'][ask.seat]['name']})"
    return [
        f"asked: {asked}, '{ask.name}'",
        *fields(ask.observation._asdict()),
        f"legal: {compact(ask.legal)}",
        f"answer, event {answer.seq}: {compact(answer.event)}",
    ]


# --- diff ----------------------------------------------------------------------------------------


def difference_json(found: Difference) -> str:
    """``koth-diff/1``: the first difference, or null."""
    return json("koth-diff/1", **asdict(found))


def difference_text(found: Difference) -> str:
    """The first difference and what followed from it, both logs one under the other."""
    if found.seq is None:
        return "no difference"
    lines = []
    if found.header:
        lines = [f"the headers differ in {', '.join(found.header)}"]
        if found.seq == 0:
            return f"{lines[0]}; all else is the same"
    lines += [f"first difference: line {found.seq + 1}, event {found.seq}, field {found.field}"]
    for path, value in zip(found.paths, found.values, strict=True):
        lines.append(f"  {path}: {compact(value)}")
    if found.question is not None:
        legal = ", ".join(found.question.legal)
        lines += [f"asked for it: '{found.question.ask}'", *fields(found.question.observation)]
        lines += [f"  legal: {legal}"] if legal else []
    lines += ["before it, the same in both:", *(_line(event) for event in found.before)]
    for path, after, end in zip(found.paths, found.after, found.ends, strict=True):
        lines += [f"{path} goes on:", *(_line(event) for event in after)]
        lines += ["  and ends:", _line(end) if end is not None else "    (without a result)"]
    return text(lines)


def _line(event: Event) -> str:
    return f"    {compact(event)}"


def reasked_text(found: Reasked) -> str:
    """What came of asking the bots again, for people."""
    lines = []
    for one in found.differences:
        lines += [
            f"event {one.seq}, {found.players[one.seat]} (seat {one.seat}), asked {one.ask}:",
            f"  recorded  {compact(one.recorded)}",
            f"  now       {compact(one.again)}, {found.times} times out of {found.times}",
        ]
    for seat, one in found.unsteady.items():
        lines += [
            f"{found.players[seat]} (seat {seat}) is not reproducible: asked {one.ask} for event "
            f"{one.seq}, it said {compact(one.again)}, then {compact(one.once_more)}",
        ]
    if found.differences:
        lines += [
            f"An answer that a bot gives in {_missed(found.times)} % of cases or more would "
            f"have come up in {found.times} askings, with a chance of 95 %."
        ]
    steady = len(found.players) - len(found.unsteady)
    lines += [
        f"{counted(found.answers, 'answer')}, {len(found.differences)} of them other than "
        f"recorded; {steady} of {counted(len(found.players), 'bot')} are reproducible"
    ]
    return text(lines)


def _missed(times: int) -> int:
    """The chance of an answer, in per cent, that fails to come up so often once in 20 cases."""
    chance: float = 1 - 0.05 ** (1 / times)
    return ceil(100 * chance)


def reasked_json(found: Reasked) -> str:
    """The same for programs."""
    return json(
        "koth-reask/1",
        answers=found.answers,
        times=found.times,
        differences=[asdict(one) for one in found.differences],
        not_reproducible=[asdict(one) for one in found.unsteady.values()],
    )
