"""``koth explain``: one ruling, for the person whom it hit."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from koth.cli.options import Format, TextOrJson
from schema.errors import NothingToDo, UsageError
from schema.log_path import LogPath, path_text, printable

FAULT = "fault"
"""The word for the faults of a log."""

SHOWN = 3
"""How many faults are explained as text; `koth faults` lists them all."""

DIGITS = 4000
"""No number has more; Python reads no longer ones."""


def explain(
    path: Annotated[
        Path, typer.Argument(help="A log, or the folder or bundle it is in.", metavar="LOG|DIR")
    ],
    match: Annotated[
        str | None,
        typer.Argument(
            help="In a folder or bundle: the match, such as 1-000017 or 17.", metavar="MATCH"
        ),
    ] = None,
    event: Annotated[
        str | None,
        typer.Argument(
            help="The event, by its seq, or `fault`. Without it the faults are explained; if there "
            "is none, the last decision.",
            metavar="SEQ",
        ),
    ] = None,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Explain a ruling: clause, answer, dice, before and after."""
    from replay import explain, render
    from schema import discovery
    from schema.reader import read

    log, event = _named(path, match, event)
    seq = _seq(event)
    recorded = read(log)
    seqs = explain.faults(recorded) if seq is None else [seq]
    if event == FAULT and not seqs:
        raise NothingToDo(f"{path_text(log)}: there is no fault in this log.")
    is_decision = not seqs
    seqs = seqs or [explain.last_decision(recorded)]
    if format is TextOrJson.JSON:
        found = explain.explain_all(recorded, seqs)
        several = seq is None
        print(render.explanations_json(found) if several else render.explanation_json(found[0]))
    else:
        found = explain.explain_all(recorded, seqs[:SHOWN])
        print("\n\n".join(map(render.explanation_text, found)))
    if is_decision:
        print("koth: no fault in this log; this is its last decision.", file=sys.stderr)
    elif format is TextOrJson.TEXT and (more := len(seqs[SHOWN:])):
        at = log if recorded.kind == "match" else discovery.home(log)
        where = printable(quote(path_text(at)))
        print(f"koth: {more} more; `koth faults {where}` lists them all.", file=sys.stderr)


def _named(path: Path, match: str | None, event: str | None) -> tuple[LogPath, str | None]:
    """The log, and the word for its event: of a log that is named itself, that is the first."""
    from schema import discovery
    from schema.bundle import is_bundle

    place = discovery.resolve(path)
    if not (place.is_dir() or is_bundle(path)):
        if event is not None:
            raise UsageError(f"{path_text(path)}: expected one event, found '{match} {event}'.")
        return place, match
    if match is None:
        raise UsageError(
            f"{path_text(path)}: expected one log, found several. Name a match: `koth explain "
            "DIR MATCH`. `koth faults DIR` lists the faults of all."
        )
    return _match(path, match), event


def _match(path: Path, word: str) -> LogPath:
    """The log of a match in a folder, by its id or its number alone."""
    from schema import discovery

    found = [log for log in discovery.logs([path]) if _is_called(log.name, word)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"{path_text(path)}: there is no log of a match '{word}' in there.")
    several = ", ".join(map(path_text, found[:SHOWN]))
    raise UsageError(f"{path_text(path)}: expected one match '{word}', found {several}. Name one.")


def _is_called(name: str, word: str) -> bool:
    stem = name.removesuffix(".jsonl")
    number = stem.rpartition("-")[2]
    same = number.isdecimal() and _is_number(word) and int(number) == int(word)
    return word in (name, stem) or same


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) <= DIGITS


def _seq(word: str | None) -> int | None:
    """The event that a word names; None for those that are to be found."""
    if word is None or word == FAULT:
        return None
    if not _is_number(word):
        raise UsageError(f"expected an event by its seq, or `{FAULT}`, found '{word}'.")
    return int(word)
