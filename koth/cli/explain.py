"""``koth explain``: explain one ruling to the author of the bot."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from koth.cli import seat_view
from koth.cli.options import Format, Seat, TextOrJson
from koth.cli.output import note, say
from schema.errors import NothingToDo, UsageError
from schema.log_path import LogPath, path_text, shell_word
from schema.words import typed_number

FAULT = "fault"
"""The word that selects the faults of a log."""

SHOWN = 3
"""Maximum faults explained as text; `koth faults` lists all."""


def explain(
    path: Annotated[
        Path,
        typer.Argument(help="A log, or a folder or bundle with logs.", metavar="LOG|DIR"),
    ],
    match: Annotated[
        str | None,
        typer.Argument(
            help="The match in a folder or bundle, such as 1-000017 or 17; 2/17 in stage 2 of a "
            "contest.",
            metavar="MATCH",
        ),
    ] = None,
    event: Annotated[
        str | None,
        typer.Argument(
            help="The seq of an event, or `fault`. Default: the faults, or the last decision if no "
            "bot failed. With --seat: the number of a question.",
            metavar="SEQ",
        ),
    ] = None,
    seat: Seat = None,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Explain a ruling: clause, answer, dice, before and after."""
    from koth.library.events import events_to_explain
    from replay import explain, render
    from replay.partial_log import read_sealed
    from replay.timeline import is_fault
    from replay.verify import verify
    from schema import discovery

    log, event = _log_and_event(path, match, event)
    seq = _seq(event)
    if seat is not None:
        seat_view.explain(log, seat, seq, event == FAULT, format)
        return
    recorded = read_sealed(log)
    seqs = events_to_explain(recorded) if seq is None else [seq]
    is_decision = seq is None and not is_fault(recorded.events[seqs[0]])
    if event == FAULT and is_decision:
        raise NothingToDo(f"{path_text(log)}: there is no fault in this log.")
    if format is TextOrJson.JSON:
        all_ = explain.explain_all(recorded, seqs)
        say(render.explanations_json(all_) if seq is None else render.explanation_json(all_[0]))
    else:
        shown = explain.explain_all(recorded, seqs[:SHOWN])
        say("\n\n".join(map(render.explanation_text, shown)))
    if not (verdict := verify(log)).fine:  # what is explained may come before the finding
        where = path_text(log) if verdict.line is None else f"{path_text(log)}:{verdict.line}"
        note(f"{where}: the verdict on this log is {verdict.verdict}: {verdict.reason}.")
    if is_decision:
        note("no fault in this log; this is its last decision.")
    elif format is TextOrJson.TEXT and (more := seqs[SHOWN:]):
        target = log if recorded.kind == "match" else discovery.home(log)
        command = f"koth faults {shell_word(target)}"
        text = f"{len(more)} more; `{command}` lists all"
        types = Counter(str(recorded.events[seq]["type"]) for seq in more)
        # Only the tournament's own log has the consequences of faults.
        others = [f"{types[type]} {type}" for type in ("disqualified", "voided") if types[type]]
        if others:
            text = f"{len(more)} more, {' and '.join(others)} among them; `{command}` lists all "
            text += "faults, `--format json` all events"
        note(f"{text}.")


def _log_and_event(path: Path, match: str | None, event: str | None) -> tuple[LogPath, str | None]:
    """Return the log and the word for its event; after the path of a log comes no match."""
    from schema import discovery
    from schema.bundle import is_bundle

    place = discovery.resolve(path)
    if not (place.is_dir() or is_bundle(path)):
        if event is not None:
            raise UsageError(f"{path_text(path)}: expected one event, found '{match} {event}'.")
        return place, match
    if match is None:
        remedy = ". `koth faults DIR` lists all faults"
        raise UsageError(discovery.not_one_log(path, remedy))
    return discovery.match_log(path, match), event


def _seq(word: str | None) -> int | None:
    """Return the number that a word stands for; None for the faults. Raises UsageError."""
    if word is None or word == FAULT:
        return None
    if (seq := typed_number(word)) is None:
        raise UsageError(f"expected an event by its seq, or `{FAULT}`, found '{word}'.")
    return seq
