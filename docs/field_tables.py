"""The event models and the settings of games as Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from inspect import cleandoc
from typing import get_args

from pydantic import BaseModel, TypeAdapter
from typing_extensions import get_type_hints

from schema.allowed_values import FieldSchema, allowed_values, integer_type, text_type


def events(models: Iterable[type]) -> str:
    """Return a section for each event model: its type, its docstring, and a table of its fields."""
    return "\n".join(_event(model) for model in models)


def settings(model: type[BaseModel]) -> str:
    """Return a table of a game's settings, with their defaults and the values they take."""
    fields = model.model_json_schema()["properties"]
    rows = [
        (_code(name), _code(field["default"]), _allowed(field), field.get("description", ""))
        for name, field in fields.items()
    ]
    return table(("setting", "default", "allowed", "what it says"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(
        "| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |\n" for line in lines
    )


def _event(model: type) -> str:
    [name] = get_args(get_type_hints(model)["type"])
    schema = TypeAdapter(model).json_schema()
    words = cleandoc(model.__doc__ or "").replace("\n", " ")
    fields = table(("field", "type", "there", "what it holds"), _rows(schema, schema))
    return f"### `{name}`\n\n{words}\n\n{fields}"


def _rows(
    schema: FieldSchema, root: FieldSchema, before: str = ""
) -> Iterator[tuple[str, str, str, str]]:
    """Yield the fields of an object in their order, each followed by those of its items."""
    for name, field in schema["properties"].items():
        if name == "type" and not before:
            continue
        presence = "always" if name in schema["required"] else "optional"
        yield _code(before + name), _type(field, root), presence, field.get("description", "")
        if inner := _object(field.get("items", {}), root):
            yield from _rows(inner, root, f"{before}{name}[].")


def _object(field: FieldSchema, root: FieldSchema) -> FieldSchema | None:
    """Return the schema of the object that a field refers to, if it does."""
    if "$ref" not in field:
        return None
    schema: FieldSchema = root["$defs"][field["$ref"].rpartition("/")[2]]
    return schema


def _type(field: FieldSchema, root: FieldSchema) -> str:
    if "const" in field:
        return _code(field["const"])
    if "enum" in field:
        return ", ".join(map(_code, field["enum"]))
    if _object(field, root):
        return "objects"
    if field["type"] == "array":
        return f"list of {_plural(_type(field['items'], root))}"
    if field["type"] == "object":
        values = field["additionalProperties"]["anyOf"]
        return "object of " + " and ".join(_plural(_type(value, root)) for value in values)
    return integer_type(field) if field["type"] == "integer" else text_type(field)


def _plural(type: str) -> str:
    return re.sub("^(integer|text)", r"\1s", type)


def _allowed(field: FieldSchema) -> str:
    return ", ".join(map(_code, field["enum"])) if "enum" in field else allowed_values(field)


def _code(value: object) -> str:
    return f"`{value}`"
