"""The files that are imported, line by line, and the error for a line that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from schema.errors import UsageError
from schema.fields import Name
from schema.scan import short_repr
from schema.seal import hex_digest, tournament_id

MOST = 2**63 - 1
"""The largest number that a log can hold."""

END = "the end"

_NAME: TypeAdapter[str] = TypeAdapter(Name)


class UnreadableLine(UsageError):
    """A line of an imported file that is not what its format has there; lines count from 1."""

    def __init__(self, path: Path, line: int, expected: str, found: str) -> None:
        super().__init__(f"{path}:{line}: expected {expected}, found {found}. Nothing is imported.")


def text(path: Path, *, end: bool = False) -> str:
    """The text of a file in UTF-8, its lines ended by LF. Raises UsageError for anything else.

    Other bytes may be in the last line if ``end``, and come back as ``surrogateescape`` has them.
    """
    data = content(path)
    try:
        found = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if not end or b"\n" in data[error.start : -1]:
            raise UnreadableLine(path, line, "UTF-8", f"byte 0x{data[error.start]:02x}") from None
        found = data.decode(errors="surrogateescape")
    if "\r" in found:
        line = found.count("\n", 0, found.index("\r")) + 1
        raise UnreadableLine(path, line, "lines that end in LF", "a carriage return")
    return found


def content(path: Path) -> bytes:
    """The bytes of a file. Raises UsageError when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}.") from None


def fingerprint(paths: Sequence[Path]) -> str:
    """The id of what is imported: the head of the SHA-256 of the files' bytes, one by one."""
    return tournament_id(hex_digest(b"".join(map(content, paths))))


class Lines:
    """The lines of a file that are not blank, taken one after the other from the top.

    A pattern is tried at the next line as a whole, and is known to people by an example. What was
    tried in vain is what the error expects where no more is tried.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        whole = text(path)
        *self._lines, tail = whole.split("\n")
        if tail:
            self._number = len(self._lines) + 1
            raise self.wrong("a line that ends in LF", f"{short_repr(tail)} and {END}")
        self._next = 0
        self._number = 0
        """Of the line taken last, from 1."""
        self._tried: list[str] = []
        self._skip()

    @property
    def left(self) -> bool:
        """Whether there is another line."""
        return self._next < len(self._lines)

    def take(self, pattern: re.Pattern[str], example: str) -> re.Match[str] | None:
        """Take the next line if it matches, and only then."""
        found = pattern.fullmatch(self._lines[self._next]) if self.left else None
        if found is None:
            self._tried.append(f"'{example}'")
            return None
        self._next += 1
        self._number = self._next
        self._tried = []
        self._skip()
        return found

    def need(self, pattern: re.Pattern[str], example: str) -> re.Match[str]:
        """Take the next line; it has to match."""
        found = self.take(pattern, example)
        if found is None:
            raise self.unexpected()
        return found

    def unexpected(self) -> UnreadableLine:
        """The error about the next line: it is nothing of what was tried."""
        self._number = self._next + 1
        found = short_repr(self._lines[self._next]) if self.left else END
        return self.wrong(" or ".join(dict.fromkeys(self._tried)), found)

    def wrong(self, expected: str, found: str) -> UnreadableLine:
        """An error about the line taken last."""
        return UnreadableLine(self.path, self._number, expected, found)

    def number(self, digits: str) -> int:
        """What the line taken last says in digits. Raises UnreadableLine beyond 64 bits."""
        if len(digits.lstrip("-0")) > len(str(MOST)) or abs(int(digits)) > MOST:
            raise self.wrong(f"a number of at most {MOST}", short_repr(digits))
        return int(digits)

    def name(self, text: str) -> str:
        """What the line taken last says is a name. Raises UnreadableLine for one that is none."""
        if not is_name(text):
            expected = "a name of 1 to 64 characters without white space and slashes"
            raise self.wrong(expected, short_repr(text))
        return text

    def _skip(self) -> None:
        while self.left and not self._lines[self._next].strip():
            self._next += 1


def is_name(text: str) -> bool:
    """Whether a player can have this name."""
    try:
        _NAME.validate_python(text)
    except ValidationError:
        return False
    return True
