"""Read and write JSON as orjson does, on the standard library: same strictness, same messages.

It has what reading and verifying a log needs. The standard library's C code does the work; a text
that it treats otherwise than orjson goes through the exact functions below.
"""

from __future__ import annotations

import json
import math
import re
from json.encoder import encode_basestring as quoted
from typing import Any

from report.site.stand_ins.json_error import describe

MAX_LOADED, MAX_DUMPED = 1024, 254
"""Maximum levels of nested arrays and objects."""

LEAST, LARGEST = -(1 << 63), (1 << 64) - 1
"""The range of integers; one beyond is read as a float, and cannot be written."""

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
LONG = re.compile(r"\d{19}")
OTHER_NUMBER = re.compile(r"(?:^|[\[:,])-?(?:\d+[.e]|\d{19}|NaN|Infinity)")
"""A float or a long integer, as the standard library writes it."""
BRACKET_OR_STRING = re.compile(r'[\[\]{}]|"[^"\\]*(?:\\.[^"\\]*)*"?')
"""A bracket, or a string with the brackets in it; linear in the text."""
OPENING, CLOSING = frozenset("[{"), frozenset("]}")


class JSONDecodeError(json.JSONDecodeError):
    """Raised for text that is not JSON."""


JSONEncodeError = TypeError
"""Raised for a value that has no JSON."""


def loads(data: bytes | bytearray | memoryview | str) -> Any:
    """Return the value of a JSON document. Raises JSONDecodeError."""
    try:
        text = data if isinstance(data, str) else bytes(data).decode()
    except UnicodeDecodeError:
        raise JSONDecodeError("str is not valid UTF-8: surrogates not allowed", "", 0) from None
    decoder = _exact if LONG.search(text) else _fast
    try:
        if not SURROGATE.search(text) and not _is_deeper(text, MAX_LOADED):
            return decoder.decode(text)
    except (ValueError, RecursionError):
        pass
    if (problem := describe(text, MAX_LOADED)) is not None:
        raise JSONDecodeError(problem.message, text, problem.position)
    return decoder.decode(text)


def dumps(value: object) -> bytes:
    """Return the JSON of a value in UTF-8, without white space. Raises JSONEncodeError."""
    try:
        text = _encoder.encode(value)
        if OTHER_NUMBER.search(text) or _is_deeper(text, MAX_DUMPED):
            text = _written(value, 0)
        return text.encode()
    except UnicodeEncodeError:
        raise JSONEncodeError("str is not valid UTF-8: surrogates not allowed") from None
    except RecursionError:
        raise JSONEncodeError("Recursion limit reached") from None


def _integer(digits: str) -> int | float:
    if len(digits) <= 20 and LEAST <= (number := int(digits)) <= LARGEST:
        return number
    return _float(digits)


def _float(digits: str) -> float:
    """Return a float. Raises ValueError if it is too large."""
    number = float(digits)
    if math.isinf(number):
        raise ValueError
    return number


def _refuse(constant: str) -> None:
    raise ValueError  # NaN or Infinity


def _is_deeper(text: str, levels: int) -> bool:
    """Return whether JSON has more nested levels."""
    if text.count("[") + text.count("{") <= levels:
        return False
    level = 0
    for match in BRACKET_OR_STRING.finditer(text):
        token = match[0]
        if token in OPENING:
            level += 1
            if level > levels:
                return True
        elif token in CLOSING:
            level -= 1
    return False


def _written(value: object, level: int) -> str:
    """Return the JSON of a value at a nested level."""
    if isinstance(value, str):
        return str(quoted(value))
    if isinstance(value, float):
        return _written_float(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if not LEAST <= value <= LARGEST:
            raise JSONEncodeError("Integer exceeds 64-bit range")
        return int.__repr__(value)
    if isinstance(value, dict | list | tuple):
        if level == MAX_DUMPED:
            raise JSONEncodeError("Recursion limit reached")
        if isinstance(value, dict):
            pairs = (f"{quoted(key)}:{_written(item, level + 1)}" for key, item in value.items())
            return f"{{{','.join(pairs)}}}"
        return f"[{','.join(_written(item, level + 1) for item in value)}]"
    return str(_encoder.encode(value))


def _written_float(value: float) -> str:
    """Return a float with an exponent below -5 only, without leading zeros; NaN is null."""
    if not math.isfinite(value):
        return "null"
    text = repr(value)
    if text.endswith("e-05"):
        digits = text.removesuffix("e-05").lstrip("-").replace(".", "")
        return f"{'-' * text.startswith('-')}0.0000{digits}"
    return text.replace("e-0", "e-")


_fast = json.JSONDecoder(parse_float=_float, parse_constant=_refuse)
_exact = json.JSONDecoder(parse_float=_float, parse_int=_integer, parse_constant=_refuse)
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
