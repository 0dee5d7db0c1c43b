"""The formats that ``koth import`` reads, by the names that people type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from games.importing import results
from games.importing.imported import Imported
from schema import registry
from schema.errors import UsageError
from schema.registry import suggest

Importer = Callable[[Sequence[Path]], Imported]


def formats() -> Mapping[str, Importer]:
    """Return the importer of each format: ``results``, and those that the games' cards name.

    A game whose package is broken brings none.
    """
    cards, _ = registry.cards()
    brought = {name: card.importer(name) for card in cards for name in card.importers}
    return {"results": results.read, **brought}


def read(format: str, paths: Sequence[Path]) -> Imported:
    """Read files of one format. Raises UsageError for an unknown format and an unreadable line."""
    known = formats()
    if format not in known:
        raise UsageError(f"there is no format '{format}'.{suggest(format, sorted(known))}")
    return known[format](paths)
