"""The results of the replay, as text for people and as versioned JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson

from games.table import Ask, Fault, JointAsk, Reply
from replay.evidence import observations, seat_of
from replay.faults import Counts
from replay.questions import addressee, question_fields
from schema import discovery
from schema.bot_output import to_fields
from schema.canonical import Event, same
from schema.log_path import path_text, printable, shell_word
from schema.reader import Log
from schema.words import counted

if TYPE_CHECKING:
    from replay.diff import Difference
    from replay.rerun import Step
    from replay.timeline import Explanation

LONGEST = 4_000
"""Maximum characters of a value in a text; an answer of an ``oversize`` fault has 64 KiB."""

MOST_BOTS = 10
"""Maximum bots that a summary of faults names."""

STDERR = "stderr"
"""The field of a note that holds the bot's standard error."""


def json(format: str, **content: object) -> str:
    """Return ``content`` as one JSON object that names its own format."""
    return orjson.dumps({"format": format, **content}, option=orjson.OPT_INDENT_2).decode()


def compact(value: object) -> str:
    """Return a value as JSON without spaces, as in a log."""
    return orjson.dumps(value).decode()


def shown(value: object) -> str:
    """Return a value as JSON like :func:`compact`; of a long one the beginning, and its length."""
    text = compact(value)
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({len(text):,} characters; the log has them all)"


def text(lines: Iterable[str]) -> str:
    """Join lines; control characters within a line are escaped, so that it stays one line."""
    return "\n".join(map(printable, lines))


def values(values: Mapping[str, Any]) -> str:
    """Return names and values in one line."""
    return ", ".join(f"{key} {compact(value)}" for key, value in values.items())


def value_lines(values: Mapping[str, object] | None, indent: str = "  ") -> list[str]:
    """Return one line per value; for a list of objects, one line per object."""
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


def observed(name: str, value: object) -> str:
    """Return a value that a bot is given as JSON, but the line of a stream bot as the bot reads it.

    A line is JSON, too, if it is empty, or if white space at an end would be unseen.
    """
    if name == "line" and isinstance(value, str) and value and value == value.strip():
        return value
    return compact(value)


def observation_lines(observation: Mapping[str, object]) -> list[str]:
    """Return one line per value that a bot is given."""
    width = max(map(len, observation), default=0)
    return [f"  {name:{width}}  {observed(name, value)}" for name, value in observation.items()]


def evidence(note: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
    """Return the values of a note, and the lines of the bot's standard error, if it wrote any."""
    values = observations(note)
    stderr = values.pop(STDERR, None)
    if not isinstance(stderr, str) or not stderr:
        return values, []
    return values, ["stderr:", *(f"  {line}" for line in stderr.splitlines())]


def note_lines(explanation: Explanation) -> Iterator[str]:
    """Yield the notes on an answer; if it is of all seats, each below the name of its player."""
    answer, players = explanation.answer, explanation.log.start["players"]
    for note in explanation.notes:
        values, stderr = evidence(note)
        seat = seat_of(note, len(players))
        if answer is not None and "seat" not in answer.event and seat is not None:
            yield f"  {players[seat]['name']} (seat {seat}):"
        yield from value_lines(values)
        yield from (f"  {line}" for line in stderr)


def beside_lines(explanation: Explanation) -> list[str]:
    """Return a line with the answers to other questions of the same time, if there are any."""
    events = explanation.log.events
    answers = [f"event {seq} (seat {events[seq]['seat']})" for seq in explanation.answers_beside]
    return [f"answers at the same time: {', '.join(answers)}"] if answers else []


def state_changes(
    before: Mapping[str, object] | None, after: Mapping[str, object] | None
) -> Mapping[str, object]:
    """Return the values of a state that changed, None for those that it has no longer.

    Of a list of as many objects as before, return the changed ones.
    """
    before, after = before or {}, after or {}
    changed: dict[str, object] = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if key in before and same(value, old):
            continue
        changed[key] = value
        if isinstance(value, list) and isinstance(old, list) and len(value) == len(old):
            pairs = [*zip(value, old, strict=True)]
            if all(isinstance(item, dict) for pair in pairs for item in pair):
                changed[key] = [item for item, earlier in pairs if not same(item, earlier)]
    return changed


def question_lines(log: Log, ask: Ask | JointAsk) -> list[str]:
    """Return whom the rules ask for what, the observation, and the legal answers."""
    return [
        f"{addressee(log, ask)}, '{ask.name}'",
        *observation_lines(ask.observation._asdict()),
        f"legal: {compact(ask.legal)}",
    ]


def reply_fields(reply: Reply | None) -> Mapping[str, object]:
    """Return a reply as JSON values: the bytes by channel; of a fault, its kind and ``found``."""
    if reply is None:
        return {}
    if not isinstance(reply, Fault):
        return to_fields(reply.raw)
    found = {} if reply.found is None else {"found": reply.found}
    return {"fault": reply.kind, **found, **to_fields(reply.raw)}


def summary(faults: Counts) -> str:
    """Return ``3 faults: fumbler 2 crash, 1 illegal; other 1 timeout``: most faults first.

    Of more than MOST_BOTS bots, the others are only counted.
    """
    number = sum(sum(kinds.values()) for kinds in faults.values())
    if not number:
        return "no faults"
    bots = [f"{name} {kinds_text(kinds)}" for name, kinds in islice(faults.items(), MOST_BOTS)]
    if len(faults) > MOST_BOTS:
        bots.append(f"and {counted(len(faults) - MOST_BOTS, 'other bot')}")
    return f"{counted(number, 'fault')}: {'; '.join(bots)}"


def kinds_text(kinds: Mapping[str, int]) -> str:
    """Return ``2 crash, 1 illegal``."""
    return ", ".join(f"{number} {kind}" for kind, number in kinds.items())


# --- replay --at ---------------------------------------------------------------------------------


def state_json(step: Step, sentence: str) -> str:
    """Return ``koth-replay/1``: the event with its sentence, and the state when it was emitted."""
    return json("koth-replay/1", **step_fields(step), sentence=sentence, state=step.state)


def state_text(step: Step, sentence: str) -> str:
    """Return the sentence, the event, and the state as a table."""
    event = f"event {step.seq}: {shown(step.event)}"
    return text([sentence, event, *value_lines(step.state)])


def event_lines(name: str, sentence: str, event: Event, indent: str = "  ") -> list[str]:
    """Return the sentence of an event after its ``name``, such as its ``seq``; below, the event."""
    return [f"{indent}{name}  {sentence}", f"{indent}{'':{len(name)}}  {shown(event)}"]


def step_fields(step: Step) -> dict[str, Any]:
    """Return an event with its ``seq`` and clause, as JSON values."""
    return {"seq": step.seq, "event": step.event, "clause": step.clause}


# --- explain -------------------------------------------------------------------------------------


def explanation_json(explanation: Explanation) -> str:
    """Return ``koth-explain/1``: one ruling with everything that led to it."""
    return json("koth-explain/1", **explanation_fields(explanation))


def explanations_json(explanations: Sequence[Explanation]) -> str:
    """Return ``koth-explanations/1``: several rulings, each as in ``koth-explain/1``."""
    return json("koth-explanations/1", explanations=[*map(explanation_fields, explanations)])


def explanation_fields(explanation: Explanation) -> dict[str, Any]:
    """Return one ruling with everything that led to it, as JSON values."""
    ask, answer = explanation.ask, explanation.answer
    return {
        "log": path_text(explanation.log.path),
        "sentence": explanation.sentence,
        **step_fields(explanation.step),
        "clause_text": explanation.clause_text,
        "asked": None if ask is None else question_fields(ask),
        "answer": None if answer is None else {"seq": answer.seq, **answer.event},
        "beside": [*explanation.answers_beside],
        "evidence": explanation.evidence,
        "notes": explanation.notes,
        "dice": [
            {"label": draw.label, "outcome": draw.outcome, "command": command}
            for draw, command in explanation.draws
        ],
        "before": explanation.before,
        "after": explanation.after,
    }


def explanation_text(explanation: Explanation) -> str:
    """Return one ruling: event, clause, question and answer, evidence, dice, and both states."""
    log, step, ask, answer = explanation.log, explanation.step, explanation.ask, explanation.answer
    lines = [f"{log.path}, line {step.seq + 1}"]
    lines += [explanation.sentence, f"event {step.seq}: {shown(step.event)}"]
    if step.clause:
        lines += ["", f"{step.clause}  {explanation.clause_text}"]
    if explanation.is_fault:
        lines += ["", f"settings: {values(log.start['settings'])}"]
    if step.event["type"] == "match_played":
        home, match = discovery.home(log.path), step.event["match"]
        if (home / discovery.MATCHES / f"{match}.jsonl").exists():
            lines += ["", "the match itself:", f"  $ koth explain {shell_word(home)} {match}"]
    if ask is not None and answer is not None:
        first, *others = question_lines(log, ask)
        lines += ["", f"asked: {first}", *others]
        lines += [f"answer, event {answer.seq}: {shown(answer.event)}"]
        lines += beside_lines(explanation)
    if explanation.notes:
        lines += ["", "evidence, the referee's word (no replay can check it):"]
        lines += note_lines(explanation)
    for draw, command in explanation.draws:
        lines += ["", f"die '{draw.label}': {draw.outcome}", f"  $ {command}"]
    if explanation.before is not None or explanation.after is not None:
        changed = state_changes(explanation.before, explanation.after)
        lines += ["", "before:", *value_lines(explanation.before)]
        lines += ["after: (what changed)" if changed else "after: (the same)"]
        lines += value_lines(changed)
    return text(lines)


# --- diff ----------------------------------------------------------------------------------------


def difference_json(difference: Difference) -> str:
    """Return ``koth-diff/1``: the first difference, or null."""
    return json("koth-diff/1", **asdict(difference))


def difference_text(difference: Difference) -> str:
    """Return the first difference, and how each of the two logs continues."""
    if difference.seq is None:
        return "no difference"
    lines = []
    if difference.header:
        lines = [f"the headers differ in {', '.join(difference.header)}"]
        if difference.seq == 0:
            return f"{lines[0]}; all else is the same"
    location = f"line {difference.seq + 1}, event {difference.seq}"
    place = f"field {difference.field}"
    fields = []
    for path, value, after in zip(
        difference.paths, difference.values, difference.after, strict=True
    ):
        if after:
            fields.append(f"  {path}: {shown(value)}")
        else:  # the other log has an event more
            place = f"{path} ends there"
    lines += [f"first difference: {location}, {place}", *fields]
    if (question := difference.question) is not None:
        lines += [f"the question: '{question['ask']}'", *observation_lines(question["observation"])]
        lines += [f"  legal: {', '.join(question['legal'])}"] if question["legal"] else []
    said, *_ = difference.sentences
    if difference.before:
        lines += ["before it, the same in both:", *sentences_and_events(difference.before, said)]
    for path, after, end, said in zip(
        difference.paths, difference.after, difference.ends, difference.sentences, strict=True
    ):
        if after:
            lines += [f"{path} continues:", *sentences_and_events(after, said), "  and ends:"]
            lines += (
                ["    (without a result)"] if end is None else sentences_and_events([end], said)
            )
    return text(lines)


def sentences_and_events(events: Iterable[Event], sentences: Mapping[str, str]) -> list[str]:
    """Return each event with its ``seq`` and its sentence, which ``sentences`` has by ``seq``."""
    return [
        line
        for event in events
        for line in event_lines(str(event["seq"]), sentences[str(event["seq"])], event, "    ")
    ]
