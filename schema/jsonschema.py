"""JSON Schema of the log format: one schema per game, for a line of any of its logs.

The folder ``schema/json`` contains the generated files.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from schema.card import Card
from schema.contest_events import CONTEST_EVENTS
from schema.events import FORMAT, MATCH_EVENTS, TOURNAMENT_EVENTS

SEQ = {"type": "integer", "minimum": 0, "description": "The number of the line, from 0."}


def of_game(card: Card) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line of any log of the game.

    The settings of each rules version have its name as their title.
    """
    models = (*MATCH_EVENTS, *card.current.event_models(), *TOURNAMENT_EVENTS, *CONTEST_EVENTS)
    settings = [
        version.settings_model().model_json_schema() | {"title": version.name}
        for version in card.versions.values()
    ]
    definitions: dict[str, Any] = {"Settings": {"anyOf": settings}}
    for model in models:
        schema = TypeAdapter(model).json_schema()
        definitions |= schema.pop("$defs", {})
        schema["properties"] = {"seq": SEQ} | schema["properties"]
        schema["required"] = ["seq", *schema["required"]]
        if "settings" in schema["properties"]:
            schema["properties"]["settings"] = {"$ref": "#/$defs/Settings"}
        if "players" in schema["properties"]:
            schema["properties"]["players"] |= _bounds(card)
        if "pairings" in schema["properties"] and card.plays != "pairings":
            schema["properties"]["pairings"]["maxItems"] = 0  # so that they are always absent
        definitions[model.__name__] = schema
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FORMAT}, {card.title}: one line of a log",
        "oneOf": [{"$ref": f"#/$defs/{model.__name__}"} for model in models],
        "$defs": dict(sorted(definitions.items())),
    }


def _bounds(card: Card) -> dict[str, int]:
    """Return the bounds of a match's players, as far as the card has numbers, not settings."""
    bounds = zip(("minItems", "maxItems"), card.seats, strict=True)
    return {key: bound for key, bound in bounds if isinstance(bound, int)}


def dumps(schema: object) -> str:
    """Return a schema as the text that ``koth schema`` prints."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
