"""Event models as tables: the columns of an event, their DuckDB types and their descriptions."""

from __future__ import annotations

import types
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin

from pydantic.fields import FieldInfo
from typing_extensions import (
    get_type_hints,
    is_typeddict,
)

from audit.errors import AuditError

SCALARS = {int: "BIGINT", str: "VARCHAR", bool: "BOOLEAN"}
WRAPPERS = (Annotated, NotRequired, Required)


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    type: str
    """As DuckDB writes it, such as ``BIGINT[]``."""
    description: str = ""


@dataclass(frozen=True)
class Columns:
    """One event model as columns: ``type`` is what its events bear, ``description`` one line."""

    type: str
    description: str
    columns: tuple[Column, ...]


def of_model(model: type) -> Columns:
    """The columns of one event model (a TypedDict with a literal ``type``), in declared order."""
    hints = get_type_hints(model, include_extras=True)
    [name] = get_args(hints.pop("type"))
    columns = (Column(field, sql_type(hint), described(hint)) for field, hint in hints.items())
    return Columns(name, (model.__doc__ or "").partition("\n")[0], tuple(columns))


def union(models: Iterable[Columns]) -> dict[str, str]:
    """The columns of a table that holds all of ``models``, by name.

    Raises AuditError when a field has two types: a field name has one type throughout a game.
    """
    found: dict[str, str] = {}
    for model in models:
        for column in model.columns:
            if found.setdefault(column.name, column.type) != column.type:
                raise AuditError(
                    f"{model.type}: the field '{column.name}' is {column.type} here and "
                    f"{found[column.name]} in another event. Give it one type in all event models"
                )
    return found


def sql_type(annotation: Any) -> str:
    """The DuckDB type for an annotation; what has no shape of its own becomes JSON."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in WRAPPERS:
        return sql_type(arguments[0])
    if origin is Literal:
        return sql_type(type(arguments[0]))
    if origin is list:
        return f"{sql_type(arguments[0])}[]"
    if origin in (Union, types.UnionType):
        there = [argument for argument in arguments if argument is not type(None)]
        return sql_type(there[0]) if len(there) == 1 else "JSON"
    if is_typeddict(annotation):
        hints = get_type_hints(annotation, include_extras=True)
        inner = ", ".join(f"{quoted(name)} {sql_type(hint)}" for name, hint in hints.items())
        return f"STRUCT({inner})"
    return SCALARS.get(annotation, "JSON")


def described(annotation: Any) -> str:
    """The description in an annotation; the outermost one counts."""
    if get_origin(annotation) in (NotRequired, Required):
        return described(get_args(annotation)[0])
    fields = [extra for extra in get_args(annotation)[1:] if isinstance(extra, FieldInfo)]
    return next((field.description for field in reversed(fields) if field.description), "")


def quoted(name: str) -> str:
    """``name`` as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: object) -> str:
    """``value`` as an SQL literal."""
    return "'" + str(value).replace("'", "''") + "'"
