"""Find the first error of a JSON document, in the words of orjson (yyjson)."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

SPACE = re.compile(r"[ \t\n\r]*")
PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
HEX = re.compile(r"[0-9a-fA-F]{0,4}")
LOW = re.compile(r"([dD]([c-fC-F][0-9a-fA-F]*)?)?")
"""The beginning of a low surrogate in hex."""
PAIRED = re.compile(rf"(\\(u{LOW.pattern})?)?")
"""The beginning of an escaped low surrogate."""
DIGITS = re.compile(r"[0-9]*")
LITERALS = {"t": "true", "f": "false", "n": "null"}
HEX_DIGITS = 4

END = "unexpected end of data"
EXPECTED = "unexpected character, expected "


class Problem(NamedTuple):
    """An error at a position, in characters."""

    message: str
    position: int


class _Found(Exception):
    """Raised at the first error."""

    def __init__(self, message: str, position: int) -> None:
        self.problem = Problem(message, position)


def describe(text: str, levels: int) -> Problem | None:
    """Return the first error of a document with up to ``levels`` nested levels, None if valid."""
    if not text:
        return Problem("Input is a zero-length, empty document", 0)
    if text.startswith("\ufeff"):
        return Problem("UTF-8 byte order mark (BOM) is not supported", 0)
    if not text.strip(" \t\n\r"):
        return Problem("input data is empty", 0)
    try:
        _Scanner(text, levels).document()
    except _Found as found:
        return found.problem
    return None


class _Scanner:
    """A pass over a document, character by character."""

    def __init__(self, text: str, levels: int) -> None:
        self.text, self.levels = text, levels
        self.position = 0
        self.open: list[str] = []
        """The closing characters of the arrays and objects around the position."""

    def document(self) -> None:
        self.space()
        while True:
            self.value()  # or the head of an array or object
            while self.open and not self.is_next_value():
                pass
            if not self.open:
                break
        self.space()
        if self.position < len(self.text):
            raise _Found("unexpected content after document", self.position)

    def space(self) -> None:
        self.position = SPACE.match(self.text, self.position).end()  # type: ignore[union-attr]

    def current(self) -> str:
        """Return the character at the position. Raises _Found at the end."""
        if self.position >= len(self.text):
            raise _Found(END, len(self.text))
        return self.text[self.position]

    def value(self) -> None:
        """Read a whole value, or the opening character of an array or object."""
        character = self.current()
        if character in "[{":
            self.position += 1
            self.open.append("]" if character == "[" else "}")
            if len(self.open) > self.levels:
                raise _Found("depth limit exceeded", self.position)
            self.fresh = True
        elif character == '"':
            self.string()
        elif character in LITERALS:
            self.literal(LITERALS[character])
        elif character in "-0123456789":
            self.number()
        elif character in "+.":
            raise _Found("no digit after sign", self.position)
        else:
            raise _Found(f"{EXPECTED}a JSON value", self.position)

    fresh = False
    """Whether the position is after an opening character."""

    def is_next_value(self) -> bool:
        """Go on inside an array or object: to its next value (True), or out of it (False)."""
        fresh, self.fresh = self.fresh, False
        close = self.open[-1]
        self.space()
        if self.current() == close:
            self.position += 1
            self.open.pop()
            return False
        if not fresh:
            comma = self.position
            if self.current() != ",":
                raise _Found(f"{EXPECTED}',' or '{close}'", comma)
            self.position += 1
            self.space()
            if self.current() == close:
                raise _Found("trailing comma is not allowed", comma)
        if close == "}":
            self.key()
        return True

    def key(self) -> None:
        if self.current() != '"':
            raise _Found(f"{EXPECTED}a string key", self.position)
        self.string()
        self.space()
        if self.current() != ":":
            raise _Found(f"{EXPECTED}':' after key", self.position)
        self.position += 1
        self.space()

    def literal(self, expected: str) -> None:
        actual = self.text[self.position : self.position + len(expected)]
        if actual != expected:
            if expected.startswith(actual):
                raise _Found(END, len(self.text))
            raise _Found(f"invalid literal, expected '{expected}'", self.position)
        self.position += len(expected)

    def number(self) -> None:
        first = self.position
        if self.current() == "-":
            self.position += 1
        zero = self.position
        self.digits("no digit after sign")
        if self.text[zero] == "0" and self.position > zero + 1:
            raise _Found("number with leading zero is not allowed", zero)
        if self.text.startswith(".", self.position):
            self.position += 1
            self.digits("no digit after decimal point")
        if self.text.startswith(("e", "E"), self.position):
            self.position += 1
            if self.text.startswith(("+", "-"), self.position):
                self.position += 1
            self.digits("no digit after exponent sign")
        if math.isinf(float(self.text[first : self.position])):
            raise _Found("number is infinity when parsed as double", first)

    def digits(self, problem: str) -> None:
        """Read at least one digit."""
        first = self.position
        self.current()
        self.position = DIGITS.match(self.text, first).end()  # type: ignore[union-attr]
        if self.position == first:
            raise _Found(problem, first)

    def string(self) -> None:
        self.position += 1
        while True:
            self.position = PLAIN.match(self.text, self.position).end()  # type: ignore[union-attr]
            character = self.current()
            if character == '"':
                self.position += 1
                return
            if character != "\\":
                raise _Found("unexpected control character in string", self.position)
            self.escape()

    def escape(self) -> None:
        first = self.position
        self.position += 1
        if (character := self.current()) in '"\\/bfnrt':
            self.position += 1
            return
        if character != "u":
            raise _Found("invalid escaped sequence in string", first)
        unit = self.unit(HEX, "invalid escaped sequence in string", first)
        if 0xDC00 <= unit <= 0xDFFF:
            if PAIRED.fullmatch(self.text, self.position):
                raise _Found(END, len(self.text))
            raise _Found("invalid high surrogate in string", first)
        if not 0xD800 <= unit <= 0xDBFF:
            return
        for character in "\\u":
            if self.current() != character:
                raise _Found("no low surrogate in string", first)
            self.position += character == "\\"
        if not 0xDC00 <= self.unit(LOW, "invalid escape in string", first) <= 0xDFFF:
            raise _Found("invalid low surrogate in string", first)

    def unit(self, truncated: re.Pattern[str], problem: str, first: int) -> int:
        """Read ``u`` and four hex digits, a unit of UTF-16.

        If the text ends within them, ``truncated`` says which of them are only incomplete.
        """
        digits = self.text[self.position + 1 : self.position + 1 + HEX_DIGITS]
        self.position += 1 + len(digits)
        if HEX.fullmatch(digits) and len(digits) == HEX_DIGITS:
            return int(digits, 16)
        if len(digits) < HEX_DIGITS and truncated.fullmatch(digits):
            raise _Found(END, len(self.text))
        raise _Found(problem, first)
