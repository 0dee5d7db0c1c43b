"""Rules for all event models: names, order and types of their fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

from schema import registry
from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS

GAMES = registry.names()


def match_models(game: str) -> list[Any]:
    """Return all event models that a match log of ``game`` can hold."""
    versions = registry.card(game).versions.values()
    return [*MATCH_EVENTS, *(model for version in versions for model in version.event_models())]


def fields(model: Any) -> Iterator[tuple[str, str]]:
    """Yield name and type of every field of a model and of its parts."""
    schema = TypeAdapter(model).json_schema()
    parts = schema.get("$defs", {})
    for part in (schema, *parts.values()):
        for name, field in part["properties"].items():
            yield name, shape(field, parts)


def shape(field: dict[str, Any], parts: dict[str, Any]) -> str:
    """Return the type of a field with its bounds; a choice of texts is a text."""
    if "$ref" in field:
        return str(field["$ref"].rpartition("/")[2])
    if "anyOf" in field:
        return " or ".join(shape(choice, parts) for choice in field["anyOf"])
    if field["type"] == "array":
        return f"list of {shape(field['items'], parts)}"
    bounds = [field[key] for key in ("minimum", "maximum", "minLength", "pattern") if key in field]
    return " ".join(str(part) for part in (field["type"], *bounds))


@pytest.mark.parametrize("game", GAMES)
def test_a_field_name_has_one_type_throughout_a_game(game: str) -> None:
    """In the match logs of a game a field name has the same type in all events."""
    found: dict[str, set[str]] = defaultdict(set)
    for model in match_models(game):
        for name, type_ in fields(model):
            found[name].add(type_)
    assert {name: types for name, types in found.items() if len(types) > 1} == {}


@pytest.mark.parametrize("game", GAMES)
def test_an_event_type_is_declared_once(game: str) -> None:
    """Every event has its own type, named like its model, in its first field."""
    models = list(dict.fromkeys([*match_models(game), *TOURNAMENT_EVENTS]))
    types = []
    for model in models:
        properties = TypeAdapter(model).json_schema()["properties"]
        assert next(iter(properties)) == "type"
        types.append(properties["type"]["const"])
        assert types[-1].replace("_", "") == model.__name__.lower()
    assert len(set(types)) == len(models)


@pytest.mark.parametrize("game", GAMES)
def test_no_event_holds_a_float_or_a_null(game: str) -> None:
    """Numbers are integers of 64 bits with both bounds, and no field is null."""
    for model in [*match_models(game), *TOURNAMENT_EVENTS]:
        for _, type_ in fields(model):
            assert "null" not in type_
            assert "number" not in type_
            assert "boolean" not in type_
    for name, type_ in (field for model in match_models(game) for field in fields(model)):
        if "integer" in type_ and name != "settings":
            assert type_.partition("integer ")[2].count(" ") == 1
