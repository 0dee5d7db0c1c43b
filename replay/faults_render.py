"""Faults as text for people, and as versioned JSON for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from replay import render
from replay.faults import Fault, counts
from schema.log_path import LogPath, path_text, shell_word
from schema.words import counted

LONGEST = 400
"""Maximum characters of an answer; one of an ``oversize`` fault has 64 KiB."""


def faults_json(faults: Sequence[Fault]) -> str:
    """Return ``koth-faults/1``: the faults in order, and their numbers by bot and kind."""
    return render.json("koth-faults/1", faults=[*map(_fields, faults)], counts=counts(faults))


def _fields(fault: Fault) -> dict[str, object]:
    return {
        "log": path_text(fault.path),
        "match": fault.match,
        "game": fault.game,
        "sentence": fault.sentence,
        "seq": fault.seq,
        **fault.player,
        **{key: fault.event[key] for key in ("kind", "clause", "penalty", "ask")},
        "clause_text": fault.clause_text,
        "answer": fault.output,
        "evidence": fault.evidence,
    }


def faults_text(faults: Sequence[Fault]) -> str:
    """Return one paragraph per fault, then the clauses that were broken, and a summary.

    The faults of a bot that an earlier one had ended are in the paragraph of the last one before.
    """
    told: list[tuple[Fault, list[int]]] = []
    last: dict[tuple[LogPath, int], list[int]] = {}
    for fault in faults:
        seat = (fault.path, fault.player["seat"])
        if fault.had_ended and seat in last:
            last[seat].append(fault.seq)
        else:
            last[seat] = []
            told.append((fault, last[seat]))
    lines = [line for fault, later in told for line in (*_paragraph(fault, later), "")]
    clauses = {(fault.game, fault.event["clause"]): fault.clause_text for fault in faults}
    for (_, clause), text in clauses.items():
        lines += [f"{clause}  {text}", ""]
    return render.text([*lines, render.summary(counts(faults))])


def _paragraph(fault: Fault, later: Sequence[int]) -> list[str]:
    """Return a fault, and how many followed because it had ended the bot."""
    event, player = fault.event, fault.player
    path = path_text(fault.path)
    timed = event["kind"] == "timeout" and fault.time_limit
    limit = f", time limit {fault.time_limit}" if timed else ""
    kind = f"{event['kind']} ({event['clause']}{limit}): {event['penalty']}"
    return [
        f"{path}:{fault.seq + 1}: {player['name']} (seat {player['seat']}), {kind}",
        f"  {fault.sentence}",
        f"  asked     {event['ask']}",
        f"  wrote     {_written(fault.output) or '(nothing on record)'}",
        *_evidence(fault.evidence),
        *_after_the_end(later),
        _next_step(fault),
    ]


def _written(output: Mapping[str, Any]) -> str:
    """Return an answer; of a long value the beginning, of which `koth explain` shows more."""
    texts = {name: render.compact(value) for name, value in output.items()}
    return ", ".join(
        f"{name} {text}"
        if len(text) <= LONGEST
        else f"{name} {text[:LONGEST]}… ({len(output[name]):,} characters)"
        for name, text in texts.items()
    )


def _after_the_end(later: Sequence[int]) -> list[str]:
    """Return a line about the faults that followed the one that ended a bot."""
    if not later:
        return []
    events = f"event {later[0]}" if len(later) == 1 else f"events {later[0]} to {later[-1]}"
    return [f"  then      {counted(len(later), 'more fault')}, because the bot had ended: {events}"]


def _next_step(fault: Fault) -> str:
    """Return the command that explains the fault, or why there is none."""
    if fault.imported:
        return "  the log was imported; without a seed `koth explain` cannot explain it"
    if fault.sealed:
        return f"  $ koth explain {shell_word(fault.path)} {fault.seq}"
    return "  the log is not finished; `koth explain` reads it when it has its seal"


def _evidence(note: Mapping[str, Any] | None) -> list[str]:
    """Return the referee's note, marked as the referee's word."""
    if note is None:
        return ["  evidence  (none beside the log)"]
    values, stderr = render.evidence(note)
    text = render.values(values) or "nothing"
    return [f"  evidence  {text} (the referee's word)", *(f"  {line}" for line in stderr)]
