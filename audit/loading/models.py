"""Event models of the tables: those of one game, and those of all games."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from audit.loading.columns import Columns, of_model
from audit.loading.strict import COMMON_MODELS
from schema.card import Card

SQL = Path(str(files("audit"))) / "sql"
"""Folder of the SQL for all games: macros, and in ``tables/`` the tables of common events."""


def models_of(card: Card) -> list[Columns]:
    """Return the columns of each event type of a game, over all its rules versions.

    The first version describes a field. One of two types is there twice, for ``union`` to refuse.
    """
    merged: dict[str, Columns] = {}
    for version in card.versions.values():
        for model in map(of_model, version.event_models()):
            known = merged.get(model.type, model)
            fields = {(column.name, column.type) for column in known.columns}
            extra = tuple(
                column for column in model.columns if (column.name, column.type) not in fields
            )
            merged[model.type] = Columns(model.type, known.description, known.columns + extra)
    return list(merged.values())


def common_models() -> list[Columns]:
    """Return the columns of the event types that all games share."""
    return [of_model(model) for model in COMMON_MODELS]
