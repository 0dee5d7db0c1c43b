"""Every small change that can be made to an event: one field at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import islice
from typing import Any, TypeVar

from tests.factories import Events
from tests.sampling import LONG_RUN

T = TypeVar("T")

RAW = ("output", "output_base64", "appended", "appended_base64", "file", "file_base64", "cut")
"""Fields that hold the output of a bot: the rules derive none of them."""

WORDS = ("F", "~", "tax", "coup", "turn", "answered", "illegal", "other")


def edited(events: Sequence[Mapping[str, Any]], seq: int, path: str, value: object) -> Events:
    """``events`` with another value at a path such as ``hands[1]`` of event ``seq``."""
    changed = [dict(event) for event in events]
    changed[seq] = deepcopy(changed[seq])
    place: Any = changed[seq]
    *above, last = keys(path)
    for key in above:
        place = place[key]
    place[last] = value
    return changed


def keys(path: str) -> list[str | int]:
    """``hands[1]`` as ``["hands", 1]``."""
    words = path.replace("[", ".").replace("]", "").split(".")
    return [int(word) if word.isdigit() else word for word in words]


def changes(value: object, path: str) -> Iterator[tuple[str, object]]:
    """(path, other value) for ``value`` and everything in it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from changes(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        yield from ((path, other) for other in _other_lists(value))
        for place, inner in enumerate(value):
            yield from changes(inner, f"{path}[{place}]")
    elif isinstance(value, int):
        yield from ((path, other) for other in (value + 1, value - 1, 1 - value, 10**18))
    elif isinstance(value, str):
        yield from ((path, other) for other in _other_texts(value))


def sample(changes: Iterator[T], seq: int) -> Iterator[T]:
    """Return one in four of the changes of an event in the suite, and all in the long run."""
    return changes if LONG_RUN else islice(changes, seq % 4, None, 4)


def _other_lists(value: list[Any]) -> list[list[Any]]:
    others = [value[:-1], value[::-1], [*value, *value[-1:]], [*value, 0]]
    return [other for other in others if other != value]


def _other_texts(value: str) -> list[str]:
    others = ["", value[:-1], value[1:], value[::-1], value + value[-1:], *WORDS]
    return list(dict.fromkeys(other for other in others if other != value))


def derived(event: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a game's event that follow from seed and answers."""
    return {key: value for key, value in event.items() if key not in RAW}
