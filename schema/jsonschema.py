"""JSON Schema of the log format: one schema per game, for a line of any of its logs.

The folder ``schema/json`` contains the generated files.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from schema import contract
from schema.card import Card
from schema.contest_events import CONTEST_EVENTS
from schema.events import FORMAT, MATCH_EVENTS, TOURNAMENT_EVENTS

SEQ = {"type": "integer", "minimum": 0, "description": "The number of the line, from 0."}

Definitions = dict[str, dict[str, Any]]
"""The schemas of events and of their parts, by name."""


def of_game(card: Card) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one line of any log of the game.

    Settings, and events that differ between the rules versions, have one schema per version, with
    its name as their title.
    """
    settings = [
        version.settings_model().model_json_schema() | {"title": version.name}
        for version in card.versions.values()
    ]
    definitions: Definitions = {"Settings": {"anyOf": settings}}
    for model in (*MATCH_EVENTS, *TOURNAMENT_EVENTS, *CONTEST_EVENTS):
        definitions[model.__name__] = _bounded(_schema(model, definitions), card)
    own = _events_of_game(card, definitions)
    names = [
        *(model.__name__ for model in MATCH_EVENTS),
        *own,
        *(model.__name__ for model in (*TOURNAMENT_EVENTS, *CONTEST_EVENTS)),
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FORMAT}, {card.title}: one line of a log",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in names],
        "$defs": dict(sorted(definitions.items())),
    }


def _events_of_game(card: Card, definitions: Definitions) -> list[str]:
    """Add the events of all rules versions, the current one's first; return their names."""
    models: dict[str, dict[str, type]] = {}  # by event type and version
    for version in sorted(card.versions.values(), key=lambda version: version is not card.current):
        for model in version.event_models():
            models.setdefault(contract.event_type(model), {})[version.name] = model
    names: dict[str, str] = {}  # by event type
    for kind in models:
        name = kind.title().replace("_", "")
        while name in definitions:
            name += "_"
        names[kind] = name
        definitions[name] = {}  # so that no part of an event takes the name
    for kind, name in names.items():
        schemas = {
            version: _schema(models[kind][version], definitions)
            for version in card.versions
            if version in models[kind]
        }
        if len(schemas) == len(card.versions) and len(set(map(dumps, schemas.values()))) == 1:
            definitions[name] = schemas[card.rules]
        else:
            titled = [schema | {"title": version} for version, schema in schemas.items()]
            definitions[name] = {"anyOf": titled}
    return list(names.values())


def _schema(model: type, definitions: Definitions) -> dict[str, Any]:
    """Return the schema of an event, and add those of its parts, under names that are free."""
    suffix = ""
    while True:
        template = f"#/$defs/{{model}}{suffix}"
        schema: dict[str, Any] = TypeAdapter(model).json_schema(ref_template=template)
        parts = {name + suffix: part for name, part in schema.pop("$defs", {}).items()}
        if all(dumps(definitions.get(name, part)) == dumps(part) for name, part in parts.items()):
            break
        suffix += "_"
    definitions |= parts
    schema["properties"] = {"seq": SEQ} | schema["properties"]
    schema["required"] = ["seq", *schema["required"]]
    return schema


def _bounded(schema: dict[str, Any], card: Card) -> dict[str, Any]:
    """Return the schema of one of Koth's events with the settings and bounds of the game."""
    fields = schema["properties"]
    if "settings" in fields:
        fields["settings"] = {"$ref": "#/$defs/Settings"}
    if "players" in fields:
        fields["players"] |= _bounds(card)
    if "pairings" in fields and card.plays != "pairings":
        fields["pairings"]["maxItems"] = 0  # so that they are always absent
    return schema


def _bounds(card: Card) -> dict[str, int]:
    """Return the bounds of a match's players, as far as the card has numbers, not settings."""
    bounds = zip(("minItems", "maxItems"), card.seats, strict=True)
    return {key: bound for key, bound in bounds if isinstance(bound, int)}


def dumps(schema: object) -> str:
    """Return a schema as the text that ``koth schema`` prints."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
