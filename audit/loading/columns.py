"""Columns of event models: names, DuckDB types and descriptions."""

from __future__ import annotations

import types
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin

from pydantic.fields import FieldInfo
from typing_extensions import get_type_hints, is_typeddict

from audit.errors import AuditError

SCALARS = {int: "BIGINT", str: "VARCHAR", bool: "BOOLEAN"}
WRAPPERS = (Annotated, NotRequired, Required)


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    type: str
    """The type as DuckDB writes it, such as ``BIGINT[]``."""
    description: str = ""


@dataclass(frozen=True)
class Columns:
    """The columns of one event model."""

    type: str
    """The value of the field ``type``."""
    description: str
    """The first line of the model's docstring."""
    columns: tuple[Column, ...]


@cache
def of_model(model: type) -> Columns:
    """Return the columns of a TypedDict with a literal ``type``, in declared order."""
    hints = get_type_hints(model, include_extras=True)
    [name] = get_args(hints.pop("type"))
    columns = (Column(field, sql_type(hint), described(hint)) for field, hint in hints.items())
    return Columns(name, (model.__doc__ or "").partition("\n")[0], tuple(columns))


def union(models: Iterable[Columns]) -> dict[str, str]:
    """Return the types of the columns, by name, of a table that holds events of all ``models``.

    Raises AuditError if two models give one field name different types.
    """
    columns: dict[str, str] = {}
    for model in models:
        for column in model.columns:
            if columns.setdefault(column.name, column.type) != column.type:
                raise AuditError(
                    f"{model.type}: the field '{column.name}' is {column.type} here and "
                    f"{columns[column.name]} in another event. Give it one type in all event models"
                )
    return columns


def sql_type(annotation: Any) -> str:
    """Return the DuckDB type of an annotation; JSON if DuckDB has no fixed type for it."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in WRAPPERS:
        return sql_type(arguments[0])
    if origin is Literal:
        kinds = {type(value) for value in arguments if value is not None}
        return sql_type(kinds.pop()) if len(kinds) == 1 else "JSON"
    if origin is list:
        return f"{sql_type(arguments[0])}[]"
    if origin in (Union, types.UnionType):
        members = [argument for argument in arguments if argument is not type(None)]
        return sql_type(members[0]) if len(members) == 1 else "JSON"
    if is_typeddict(annotation):
        hints = get_type_hints(annotation, include_extras=True)
        names = {name.lower() for name in hints}
        if not names or "" in names or len(names) < len(hints):
            return "JSON"  # a struct needs fields, each with a name of its own
        inner = ", ".join(f"{quoted(name)} {sql_type(hint)}" for name, hint in hints.items())
        return f"STRUCT({inner})"
    return SCALARS.get(annotation, "JSON")


def described(annotation: Any) -> str:
    """Return the outermost description in an annotation, or an empty string."""
    if get_origin(annotation) in (NotRequired, Required):
        return described(get_args(annotation)[0])
    fields = [extra for extra in get_args(annotation)[1:] if isinstance(extra, FieldInfo)]
    return next((field.description for field in reversed(fields) if field.description), "")


def quoted(name: str) -> str:
    """Return ``name`` as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: object) -> str:
    """Return ``value`` as an SQL string literal."""
    return "'" + str(value).replace("'", "''") + "'"
