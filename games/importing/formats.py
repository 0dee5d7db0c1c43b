"""The formats that ``koth import`` reads, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from games.importing import results
from games.importing.imported import Imported
from schema import registry
from schema.errors import UsageError
from schema.words import suggest

Importer = Callable[[Sequence[Path]], Imported]


def formats() -> Mapping[str, Importer]:
    """Return the importer of each format: ``results``, and those of the games' cards.

    Games whose package is broken are left out.
    """
    cards, _ = registry.cards()
    of_games = {name: card.importer(name) for card in cards for name in card.importers}
    return {"results": results.read, **of_games}


def read(format: str, paths: Sequence[Path]) -> Imported:
    """Read files of one format. Raises UsageError for an unknown format or a line not valid."""
    known = formats()
    if format not in known:
        raise UsageError(f"unknown format '{format}'.{suggest(format, sorted(known))}")
    return known[format](paths)
