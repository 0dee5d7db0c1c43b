"""The event models that tables are made from: those of a game, and those that all games share."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from audit.loading.columns import Columns, of_model
from audit.loading.strict import COMMON_MODELS
from schema.registry import Card

SQL = Path(str(files("audit"))) / "sql"
"""The SQL that all games share: macros, and in ``tables/`` the tables of the common events."""


def table_prefix(game: str) -> str:
    """What the names of a game's tables begin with."""
    return re.sub(r"\W", "_", game)


def models_of(card: Card) -> list[Columns]:
    """The event models of a game, of all its rules versions, each type once."""
    found: dict[str, Columns] = {}
    for version in card.versions.values():
        for model in map(of_model, version.event_models()):
            known = found.get(model.type, model)
            extra = tuple(column for column in model.columns if column not in known.columns)
            found[model.type] = Columns(model.type, known.description, known.columns + extra)
    return list(found.values())


def common_models() -> list[Columns]:
    """The event models that all games share."""
    return [of_model(model) for model in COMMON_MODELS]
