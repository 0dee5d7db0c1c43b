"""The formats that ``koth import`` reads, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from games.importing import results
from games.importing.imported import Imported
from games.recorded import ANSWERS
from schema import contract, reader, registry
from schema.canonical import Event, line
from schema.card import TABLES, Card
from schema.errors import KothError, LogError, UsageError
from schema.fields import LONGEST_ID
from schema.files import LINE_BYTES
from schema.reader import Log
from schema.rules_version import broken_package
from schema.seal import NO_FILES
from schema.words import counted, suggest
from schema.writer import check_new

PLAYED = "match_played"

Importer = Callable[[Sequence[Path]], Imported]


def formats() -> Mapping[str, Importer]:
    """Return the importer of each format: ``results``, and those of the games' cards.

    Games whose package is broken are left out.
    """
    cards, _ = registry.cards()
    of_games: dict[str, Importer] = {}
    for card in cards:
        for name in card.importers:
            of_games[name] = card.importer(name) if card.built_in else partial(_read, card, name)
    return {TABLES: results.read, **of_games}


def _read(card: Card, format: str, paths: Sequence[Path]) -> Imported:
    """Read files with a package's importer, and check its events. Raises CardError."""
    try:
        imported = card.importer(format)(paths)
        if not isinstance(imported, Imported):
            raise TypeError(f"expected an Imported, found {imported!r:.80}")
        _check(imported)
    except KothError:
        raise  # it names the line of the file
    except BaseException as error:
        where = f"importers.{format} = '{card.importers[format]}'"
        problem = contract.describe(error, card.package)
        raise broken_package(card.name, f"{where}: {problem}") from error
    return imported


def _check(imported: Imported) -> None:
    """Check the events of all logs by their models, and that they fit. Raises ValueError."""
    if not isinstance(imported.matches, Mapping):
        raise ValueError(f"expected matches by their ids, found {imported.matches!r:.80}")
    for name, text in {"summary": imported.summary, "note": imported.note or ""}.items():
        if not isinstance(text, str):
            raise ValueError(f"{name}: expected a text, found {text!r:.80}")
    for match, events in imported.matches.items():
        log = _checked(match, events)
        seats = len(log.start["players"])
        for seq, event in enumerate(events):
            seat = event["seat"] if event["type"] in ANSWERS else 0
            if isinstance(seat, int) and seat >= seats:
                expected = f"expected a seat below {seats}, found {seat}"
                raise ValueError(f"{log.path}:{seq + 1}: {expected}")
    if imported.tournament is not None:
        log = _checked("tournament", imported.tournament)
        played = [str(event["match"]) for event in imported.tournament if event["type"] == PLAYED]
        if sorted(played) != sorted(imported.matches):
            expected = f"expected each of the {counted(len(imported.matches), 'match')} once"
            raise ValueError(f"{log.path}: {expected} in '{PLAYED}', found {played!r:.80}")
    elif not imported.matches:
        raise ValueError("expected the events of a match or a tournament, found none")


def _checked(name: str, events: Sequence[Event]) -> Log:
    """Return the start of the log of a match or of the tournament, whose events are valid."""
    if not events:
        raise ValueError(f"expected the events of {name}, found none")
    path = Path(f"{name}.jsonl")
    for seq, event in enumerate(events):
        if not isinstance(event, dict) or "type" not in event:
            raise ValueError(f"{path}:{seq + 1}: expected a dict with a type, found {event!r:.80}")
    try:
        log = reader.read_start(line(0, events[0]), path)
        for seq, event in enumerate(events[1:], 1):
            missing = {"seal": NO_FILES} if event["type"] == PLAYED else {}
            check_new(log, seq, {**event, **missing})  # the writer adds the seal
            if (length := len(line(seq, event))) > LINE_BYTES:
                expected = f"expected an event of up to {LINE_BYTES} bytes, found {length}"
                raise ValueError(f"{path}:{seq + 1}: {expected}")
    except LogError as error:
        raise ValueError(error) from None
    if name != log.start.get("match", log.kind):
        raise ValueError(f"expected the events of match {name!r}, found {log.start!r:.80}")
    if len(name) > LONGEST_ID:
        raise ValueError(f"match '{name:.20}…': expected an id of up to {LONGEST_ID} characters")
    if not log.imported:
        raise ValueError(f"{path}:1: expected the source 'imported', found none")
    last = f"{log.kind}_finished"
    if [event["type"] == last for event in events] != [False] * (len(events) - 1) + [True]:
        raise ValueError(f"{path}: expected '{last}' as the last event, and nowhere before")
    return log


def read(format: str, paths: Sequence[Path]) -> Imported:
    """Read files of one format. Raises UsageError for an unknown format or a line not valid."""
    known = formats()
    if format not in known:
        raise UsageError(f"unknown format '{format}'.{suggest(format, sorted(known))}")
    return known[format](paths)
