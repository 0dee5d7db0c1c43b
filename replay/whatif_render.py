"""What would have followed from another answer, as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence

from games.table import Ask, JointAsk
from replay.render import changes, compact, fields, json
from replay.rerun import Step
from replay.whatif import WhatIf
from schema.bot_output import to_fields
from schema.canonical import Event
from schema.log_path import printable

SHOWN = 8
"""How many events at each end are shown of very many."""


def what_if_json(found: WhatIf, recorded: Step) -> str:
    """``koth-replay/1`` of the ``recorded`` event, with what would have followed instead of it."""
    return json(
        "koth-replay/1",
        seq=recorded.seq,
        event=recorded.event,
        clause=recorded.clause,
        state=recorded.state,
        what_if={
            "seat": found.seat,
            "answer": to_fields(found.answer),
            "events": [
                {"seq": step.seq, "event": step.event, "clause": step.clause}
                for step in found.steps
            ],
            "state": found.after,
            "asked": [_question(ask) for ask in _asks(found)],
            "end": found.end,
            "recorded_end": found.recorded_end,
            "same": found.same,
            "answers_heard": found.heard,
            "answers_unlike": found.unlike,
        },
    )


def what_if_text(found: WhatIf) -> str:
    """What would have followed: events with their clauses, the state, and question or result."""
    lines = [
        f"{found.log.path}: had {_who(found, found.seat)} answered otherwise",
        f"recorded  event {found.seq}: {compact(found.log.events[found.seq])}",
        f"instead   {compact(to_fields(found.answer))}",
        "",
        "then:" if not found.same else "then, the same as recorded:",
        *_events(found.steps),
    ]
    changed = changes(found.before, found.after)
    lines += ["the state, what changed:", *fields(changed)] if changed else ["the state: the same"]
    for ask in _asks(found):
        whom = "all seats" if isinstance(ask, JointAsk) else _who(found, ask.seat)
        lines += [f"asked next: {whom}, '{ask.name}'", *fields(ask.observation._asdict())]
        lines += [f"legal: {compact(ask.legal)}"]
    if found.end is not None:
        lines += ["", f"recorded: {_result(found, found.recorded_end)}"]
        lines += [f"then:     {_result(found, found.end)}"]
    if found.unlike:
        lines += [
            "",
            f"{found.unlike} of {found.heard} recorded answers before it come out otherwise now: "
            "these are not the bots of then, or bots of chance",
        ]
    return "\n".join(map(printable, lines))


def _asks(found: WhatIf) -> Sequence[Ask | JointAsk]:
    """The questions that would have come next."""
    asked = found.asked
    return [asked] if isinstance(asked, JointAsk) else asked or []


def _question(ask: Ask | JointAsk) -> dict[str, object]:
    return {
        "seat": ask.seat if isinstance(ask, Ask) else None,
        "ask": ask.name,
        "observation": ask.observation._asdict(),
        "legal": ask.legal,
    }


def _who(found: WhatIf, seat: int) -> str:
    return f"seat {seat} ({found.log.start['players'][seat]['name']})"


def _events(steps: Sequence[Step]) -> list[str]:
    """A line for each event; of very many those at both ends."""
    wide = max((len(step.clause) for step in steps), default=0)
    lines = [f"  {step.seq}  {step.clause:{wide}}  {compact(step.event)}" for step in steps]
    left = len(lines) - 2 * SHOWN
    if left > 1:
        lines[SHOWN:-SHOWN] = [f"  … {left} more; `--format json` has them all"]
    return lines


def _result(found: WhatIf, end: Event) -> str:
    """How a match ended, in a line."""
    names = (player["name"] for player in found.log.start["players"])
    scores = end["scores"]
    assert isinstance(scores, list)
    told = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
    return f"{end['reason']}; {told}"
