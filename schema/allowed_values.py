"""Describe in words which values a field takes, from its JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from schema.fields import Base64, Hash

FieldSchema = Mapping[str, Any]
"""The JSON Schema of one field."""

UNBOUNDED = 2**31 - 1
"""A bound from here on only says that the number fits, and is not shown."""


def allowed_values(field: FieldSchema) -> str:
    """Return the values that a setting takes, such as ``1 to 3,600`` or ``subset, size``."""
    if "enum" in field:
        return ", ".join(map(str, field["enum"]))
    if field.get("type") == "integer":
        return integer_type(field).removeprefix("integer, ")
    return text_type(field)


def integer_type(field: FieldSchema) -> str:
    """Return ``integer`` with its bounds, if it has any."""
    least = field.get("minimum", field.get("exclusiveMinimum", -UNBOUNDED - 1) + 1)
    most = field.get("maximum", field.get("exclusiveMaximum", UNBOUNDED + 1) - 1)
    if least <= -UNBOUNDED:
        return f"integer up to {most:,}" if most < UNBOUNDED else "integer"
    return f"integer, {least:,} to {most:,}" if most < UNBOUNDED else f"integer from {least:,}"


def text_type(field: FieldSchema) -> str:
    """Return ``text`` with its length and pattern, or the name of a known pattern."""
    pattern = field.get("pattern")
    for annotation, name in ((Hash, "64 hex digits"), (Base64, "Base64")):
        if pattern == TypeAdapter(annotation).json_schema()["pattern"]:
            return name
    words = "text"
    if most := field.get("maxLength"):
        words = f"text of {field.get('minLength', 0)} to {most} characters"
    elif least := field.get("minLength"):
        words = "text, not empty" if least == 1 else f"text of at least {least} characters"
    return words if pattern is None else f"{words}, `{pattern}`"
