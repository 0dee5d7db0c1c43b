"""The outcome of another answer, as text for people and as versioned JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence

from games.narration import Narrator, result_line
from games.table import Ask, JointAsk
from replay import render
from replay.questions import question_fields, seat_text
from replay.render import shown, state_changes, value_lines
from replay.rerun import Step
from replay.whatif import WhatIf
from schema.bot_output import to_fields
from schema.canonical import Event
from schema.reader import Log

EVENTS_AT_ENDS = 8
"""Number of events at each end of a long list that the text shows."""


def what_if_json(result: WhatIf, recorded: Step) -> str:
    """Return ``koth-replay/1`` of the ``recorded`` event, with ``what_if`` added."""
    narrate = Narrator(result.log.card, result.log.start)
    return render.json(
        "koth-replay/1",
        **render.step_fields(recorded),
        sentence=narrate(recorded.event),
        state=recorded.state,
        what_if={
            "seat": result.seat,
            "answer": to_fields(result.answer),
            "events": [
                {**render.step_fields(step), "sentence": narrate(step.event)}
                for step in result.steps
            ],
            "state": result.after,
            "asked": [*map(question_fields, _next_asks(result))],
            "end": result.end,
            "recorded_end": result.recorded_end,
            "same": result.same,
            "answers_heard": result.compared,
            "answers_unlike": result.changed,
        },
    )


def what_if_text(result: WhatIf) -> str:
    """Return the events with their clauses, the changed state, and the next question or result."""
    log, event = result.log, result.log.events[result.seq]
    narrate = Narrator(log.card, log.start)
    lines = [
        f"{log.path}: if {seat_text(log, result.seat)} had answered otherwise",
        *render.event_lines(f"recorded  event {result.seq}:", narrate(event), event, ""),
        f"instead   {shown(to_fields(result.answer))}",
        "",
        "then:" if not result.same else "then, the same as recorded:",
        *_event_lines(result.steps, narrate),
    ]
    if changed := state_changes(result.before, result.after):
        lines += ["state, changed values:", *value_lines(changed)]
    else:
        lines += ["state: unchanged"]
    for ask in _next_asks(result):
        first, *others = render.question_lines(log, ask)
        lines += [f"asked next: {first}", *others]
    if result.end is not None:
        lines += ["", f"recorded: {result_text(log, result.recorded_end)}"]
        lines += [f"then:     {result_text(log, result.end)}"]
    if result.changed:
        lines += [
            "",
            f"{result.changed} of {result.compared} recorded answers before it differ now: these "
            "are other bots, or bots that are not reproducible",
        ]
    return render.text(lines)


def _next_asks(result: WhatIf) -> Sequence[Ask | JointAsk]:
    question = result.next_question
    return [question] if isinstance(question, JointAsk) else question or []


def _event_lines(steps: Sequence[Step], narrate: Narrator) -> list[str]:
    """Return the sentence and the JSON of each event; of a long list, both ends."""
    width = max((len(step.clause) for step in steps), default=0)
    events = [
        render.event_lines(f"{step.seq}  {step.clause:{width}}", narrate(step.event), step.event)
        for step in steps
    ]
    omitted = len(events) - 2 * EVENTS_AT_ENDS
    if omitted > 1:
        events[EVENTS_AT_ENDS:-EVENTS_AT_ENDS] = [
            [f"  … {omitted} more; `--format json` has them all"]
        ]
    return [line for lines in events for line in lines]


def result_text(log: Log, end: Event) -> str:
    """Return the result of a match in one line: ``eliminated; player0 1, player1 0``."""
    return result_line(end, [player["name"] for player in log.start["players"]])
