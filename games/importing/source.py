"""Read files to import line by line, with errors that name file and line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from schema.errors import UsageError
from schema.fields import Name
from schema.scan import short_repr
from schema.seal import hex_digest, tournament_id
from schema.system_errors import raise_system_error
from schema.words import first_names

MOST = 2**63 - 1
"""The largest number that a log can hold."""

LONGEST = 100_000
"""Maximum characters of a line, far more than any published one has."""

END = "the end"

BYTE_ORDER_MARK = "\ufeff"
"""The character that editors on Windows write first; it would be part of a name."""

_NAME: TypeAdapter[str] = TypeAdapter(Name)


class UnreadableLine(UsageError):
    """Raised for a line that is not valid in its format; lines count from 1."""

    def __init__(self, path: Path, line: int, expected: str, found: str) -> None:
        super().__init__(f"{path}:{line}: expected {expected}, found {found}. Nothing is imported.")


def text(path: Path, data: bytes, *, end: bool = False) -> str:
    """Return the text in ``data``, the content of the file at ``path``.

    Raises UsageError unless it is UTF-8 without a byte order mark, and its lines end in LF. With
    ``end``, the last line may contain other bytes, decoded with ``surrogateescape``.
    """
    try:
        decoded = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if not end or b"\n" in data[error.start : -1]:
            raise UnreadableLine(path, line, "UTF-8", f"byte 0x{data[error.start]:02x}") from None
        decoded = data.decode(errors="surrogateescape")
    if decoded.startswith(BYTE_ORDER_MARK):
        raise UnreadableLine(path, 1, "UTF-8 without a byte order mark", "one")
    if "\r" in decoded:
        line = decoded.count("\n", 0, decoded.index("\r")) + 1
        raise UnreadableLine(path, line, "lines that end in LF", "a carriage return")
    return decoded


def only(paths: Sequence[Path], kind: str) -> Path:
    """Return the only one of ``paths``, a file of this ``kind``. Raises UsageError for several."""
    if len(paths) != 1:
        names = first_names([*map(str, paths)])
        raise UsageError(
            f"expected one {kind}, found {len(paths)} files: {names}. Import each alone."
        )
    return paths[0]


def content(path: Path) -> bytes:
    """Return the bytes of a file, or of a pipe, which can be read only once.

    Raises UsageError, and OSError if the disk or the system fails.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        error.filename = str(path)
        raise_system_error(error)
        raise UsageError(f"{path}: {error.strerror or error}.") from None


def fingerprint(contents: Iterable[bytes]) -> str:
    """Return the id of the imported files: 16 hex digits of the SHA-256 of all their bytes."""
    return tournament_id(hex_digest(b"".join(contents)))


class Lines:
    """The lines of a file that are not blank, to be taken in order.

    A pattern must match the whole next line; an example describes it in errors. An error lists the
    examples of all patterns that did not match the next line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.content = content(path)
        *self._lines, tail = text(path, self.content).split("\n")
        if tail:
            self._number = len(self._lines) + 1
            raise self.wrong("a line that ends in LF", f"{short_repr(tail)} and {END}")
        for number, line in enumerate(self._lines, 1):
            if len(line) > LONGEST:
                self._number = number
                raise self.wrong(f"a line of at most {LONGEST} characters", str(len(line)))
        self._next = 0
        self._number = 0
        """The number of the line taken last, from 1."""
        self._tried: list[str] = []
        self._skip()

    @property
    def left(self) -> bool:
        """Whether a line is left."""
        return self._next < len(self._lines)

    def take(self, pattern: re.Pattern[str], example: str) -> re.Match[str] | None:
        """Take the next line if it matches."""
        line = pattern.fullmatch(self._lines[self._next]) if self.left else None
        if line is None:
            self._tried.append(f"'{example}'")
            return None
        self._next += 1
        self._number = self._next
        self._tried = []
        self._skip()
        return line

    def need(self, pattern: re.Pattern[str], example: str) -> re.Match[str]:
        """Take the next line. Raises UnreadableLine if it does not match."""
        line = self.take(pattern, example)
        if line is None:
            raise self.unexpected()
        return line

    def unexpected(self) -> UnreadableLine:
        """Return the error about the next line, which matches no pattern so far."""
        self._number = self._next + 1
        line = short_repr(self._lines[self._next]) if self.left else END
        return self.wrong(" or ".join(dict.fromkeys(self._tried)), line)

    def wrong(self, expected: str, found: str) -> UnreadableLine:
        """Return an error about the line taken last."""
        return UnreadableLine(self.path, self._number, expected, found)

    def number(self, digits: str) -> int:
        """Return a number of the line taken last. Raises UnreadableLine beyond 64 bits."""
        sign = "-" if digits.startswith("-") else ""
        value = digits.removeprefix(sign).lstrip("0") or "0"
        # Python's int refuses thousands of digits, so they are counted first.
        if len(value) > len(str(MOST)) or int(value) > MOST:
            raise self.wrong(f"a number of at most {MOST}", short_repr(digits))
        return int(sign + value)

    def name(self, text: str) -> str:
        """Return a name of the line taken last. Raises UnreadableLine if it is not valid."""
        if not is_name(text):
            expected = "a name of 1 to 64 characters without white space and slashes"
            raise self.wrong(expected, short_repr(text))
        return text

    def _skip(self) -> None:
        while self.left and not self._lines[self._next].strip():
            self._next += 1


def is_name(text: str) -> bool:
    """Return whether ``text`` is valid as a player's name."""
    try:
        _NAME.validate_python(text)
    except ValidationError:
        return False
    return True
