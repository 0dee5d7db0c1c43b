"""The values that a field takes, in words, for `koth games` and the tables of the docs."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field, TypeAdapter

from schema.allowed_values import allowed_values, integer_type
from schema.fields import Count, Hash, Int


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (Annotated[int, Field(ge=1, le=3_600)], "1 to 3,600"),
        (Annotated[int, Field(gt=0, lt=10)], "1 to 9"),
        (Annotated[int, Field(gt=0)], "integer from 1"),
        (Annotated[int, Field(le=5)], "integer up to 5"),
        (Annotated[int, Field(ge=-(2**63), le=5)], "integer up to 5"),
        (Annotated[str, Field(max_length=10)], "text of 0 to 10 characters"),
        (Annotated[str, Field(min_length=1, max_length=10)], "text of 1 to 10 characters"),
        (Annotated[str, Field(min_length=1)], "text, not empty"),
        (Hash, "64 hex digits"),
    ],
)
def test_bounds_are_those_that_the_field_has(field: Any, words: str) -> None:
    """A field may have one bound only, and a bound that it does not have is not named."""
    assert allowed_values(TypeAdapter(field).json_schema()) == words


@pytest.mark.parametrize(("field", "words"), [(Int, "integer"), (Count, "integer from 0")])
def test_a_bound_of_64_bits_is_not_named(field: Any, words: str) -> None:
    """It only says that the number fits."""
    assert integer_type(TypeAdapter(field).json_schema()) == words
