"""The event models as Markdown tables, for the documentation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc
from typing import Any, get_args

from pydantic import BaseModel, TypeAdapter
from typing_extensions import get_type_hints

from schema.fields import Base64, Hash

Schema = Mapping[str, Any]
"""JSON Schema of one field."""

ENDLESS = 2**31 - 1
"""A bound from here on only says that the number fits."""


def events(models: Iterable[type]) -> str:
    """A section for each event model: its type, its docstring, and a table of its fields."""
    return "\n".join(_event(model) for model in models)


def settings(model: type[BaseModel]) -> str:
    """A table of a game's settings, with the values that are allowed."""
    fields = model.model_json_schema()["properties"]
    rows = [
        (_code(name), _code(field["default"]), _allowed(field), field.get("description", ""))
        for name, field in fields.items()
    ]
    return table(("setting", "default", "allowed", "what it says"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
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


def _rows(schema: Schema, root: Schema, before: str = "") -> Iterator[tuple[str, str, str, str]]:
    """The fields of an object in their order, each followed by those of the objects in it."""
    for name, field in schema["properties"].items():
        if name == "type" and not before:
            continue
        there = "always" if name in schema["required"] else "optional"
        yield _code(before + name), _type(field, root), there, field.get("description", "")
        if inner := _object(field.get("items", {}), root):
            yield from _rows(inner, root, f"{before}{name}[].")


def _object(field: Schema, root: Schema) -> Schema | None:
    found: Schema | None = (
        root["$defs"][field["$ref"].rpartition("/")[2]] if "$ref" in field else None
    )
    return found


def _type(field: Schema, root: Schema) -> str:
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
    return _integer(field) if field["type"] == "integer" else _text(field)


def _plural(type: str) -> str:
    return re.sub("^(integer|text)", r"\1s", type)


def _integer(field: Schema) -> str:
    least, most = field.get("minimum", -ENDLESS), field.get("maximum", ENDLESS)
    if most < ENDLESS:
        return f"integer, {least:,} to {most:,}"
    return f"integer from {least:,}" if least > -ENDLESS else "integer"


def _text(field: Schema) -> str:
    pattern = field.get("pattern")
    for annotation, named in ((Hash, "64 hex digits"), (Base64, "Base64")):
        if pattern == TypeAdapter(annotation).json_schema()["pattern"]:
            return named
    words = "text"
    if most := field.get("maxLength"):
        words = f"text of {field['minLength']} to {most} characters"
    elif "minLength" in field:
        words = "text, not empty"
    return words if pattern is None else f"{words}, {_code(pattern)}"


def _allowed(field: Schema) -> str:
    return ", ".join(map(_code, field["enum"])) if "enum" in field else allowed(field)


def allowed(field: Schema) -> str:
    """The values that a setting takes."""
    if "enum" in field:
        return ", ".join(map(str, field["enum"]))
    if field.get("type") == "integer":
        return _integer(field).removeprefix("integer, ")
    return _text(field)


def _code(value: object) -> str:
    return f"`{value}`"
