"""The field types that events share. A number fits signed 64 bits; larger things are strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field, with_config

T = TypeVar("T")

Int = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
Count = Annotated[int, Field(ge=0, le=2**63 - 1)]
Positive = Annotated[int, Field(ge=1, le=2**63 - 1)]
Seat = Annotated[int, Field(ge=0, le=2**31 - 1, description="A player's seat, from 0.")]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256, 64 hex digits.")]
Base64 = Annotated[
    str,
    Field(pattern=r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"),
]
LONGEST_ID = 200
"""Maximum characters of the id of a new match, because it is the name of a file, too."""

MatchId = Annotated[
    str,
    Field(pattern=r"^[1-9][0-9]*-[0-9]{6,}$", description="{attempt}-{number}, from 1 and from 0."),
]
Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        pattern=r"^[^\s/\\\x00-\x1f\x7f]+$",
        description="A player's name, without white space and slashes.",
    ),
]

SWITCH_WORDS = {"false": 0, "true": 1}

Switch = Annotated[
    int,
    Field(ge=0, le=1),
    BeforeValidator(
        lambda value: SWITCH_WORDS.get(value, value) if isinstance(value, str) else value
    ),
]
"""A setting that is on (1) or off (0); ``--set`` also takes ``true`` and ``false``."""

event: Callable[[type[T]], type[T]] = with_config(ConfigDict(extra="forbid", strict=True))
"""Decorate a TypedDict as a strict model: unknown fields and wrong types are errors."""
