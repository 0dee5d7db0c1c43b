"""The only writer of logs: it appends events as they happen, seals a log, and can resume it.

After a crash the file is a prefix of the log, possibly ending in a partial line. To resume it, the
caller writes all events again, from the first.
"""

from __future__ import annotations

import os
from hashlib import sha256
from io import BufferedReader
from pathlib import Path

import orjson

from schema.canonical import Event, line
from schema.errors import CorruptLog, GameError, KothError, LogError, UsageError
from schema.files import LINE_BYTES, NO_LINK, lock, open_descriptor, sync
from schema.named_file import NamedFile
from schema.reader import IncompleteLog, Log, check_event, check_integers, parse
from schema.scan import read_remaining

LINES = 256
"""Maximum lines that are buffered before they are written."""


def check_new(log: Log, seq: int, event: Event) -> None:
    """Check an event of a package as the log will hold it. Raises CorruptLog."""
    try:
        written = orjson.loads(orjson.dumps(event))
    except TypeError as error:
        raise CorruptLog(log.path, seq + 1, f"expected plain JSON values: {error}") from error
    check_event(log, seq, written)
    check_integers(log.path, seq, written)
    if written != event:  # such as a tuple, which is read as a list
        raise CorruptLog(log.path, seq + 1, "expected plain JSON values, found others")


class WriteError(KothError):
    """Raised when a file cannot be written; its complete lines stay valid."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(
            f"{path}: could not be written: {error.strerror}. Its complete lines are valid. Free "
            "space or repair the disk: then `koth resume` continues a tournament, the same command "
            "a contest; a single match needs a new log."
        )
        self.reason = error.strerror


class InUse(UsageError):
    """Raised when another process is writing the file."""


class ResumeMismatch(LogError):
    """Raised when a line of a log that is resumed differs from the event to be written."""


class AppendOnlyFile:
    """A file that only grows, and that one process at a time can write.

    ``flags`` and ``mode`` are as in ``os.open``; some flags are always set. A link is not followed,
    since an attacker may have made it. Raises OSError if the file cannot be opened, InUse if
    another command has it open, and WriteError if writing fails. After a failed write nothing more
    is written, since a partial line may be at the end.
    """

    def __init__(self, path: Path, flags: int = 0, mode: int = 0o666) -> None:
        self.path = path
        flags |= os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_LINK
        self._fd = open_descriptor(path, flags, mode)
        self._cut_at: int | None = None
        """The end of the last complete line, where the next append begins; None after an append."""
        self._failed: OSError | None = None
        self._named = False
        """Whether the file's name in its folder was synced."""
        try:
            is_ours = lock(self._fd)
        except OSError as error:  # the file system has no locks
            os.close(self._fd)
            error.filename = str(path)
            raise
        if not is_ours:
            os.close(self._fd)
            problem = "another command is writing this file. Wait until it ends, or stop it"
            raise InUse(f"{path}: {problem}.")

    def read_existing(self) -> bytes:
        """Return the bytes of the file. The next append overwrites a partial last line.

        Raises CorruptLog for a line that is too long.
        """
        with BufferedReader(NamedFile(os.dup(self._fd), self.path)) as file:
            file.seek(0)
            data = read_remaining(self.path, file)
        self._cut_at = data.rfind(b"\n") + 1
        return data

    def append(self, data: bytes) -> None:
        """Append all of ``data``. Raises WriteError."""
        if self._failed is not None:
            raise WriteError(self.path, self._failed)
        self._failed = OSError(0, "an earlier write was incomplete")
        try:
            if self._cut_at is not None:
                os.ftruncate(self._fd, self._cut_at)
                self._cut_at = None
            remaining = memoryview(data)
            while remaining:
                remaining = remaining[os.write(self._fd, remaining) :]
        except OSError as error:
            self._failed = error
            raise WriteError(self.path, error) from error
        self._failed = None

    @property
    def partial_line(self) -> bool:
        """Whether a write failed, so that the file may end in a partial line."""
        return self._failed is not None

    def sync(self) -> None:
        """Wait until the file, and its name in the folder, are on the disk. Raises WriteError."""
        try:
            os.fsync(self._fd)
            if not self._named:
                sync(self.path.parent)
            self._named = True
        except OSError as error:
            raise WriteError(self.path, error) from error

    def close(self) -> None:
        """Close the file; then other processes can write it. Raises WriteError."""
        try:
            os.close(self._fd)
        except OSError as error:
            raise WriteError(self.path, error) from error

    def __enter__(self) -> AppendOnlyFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class LogWriter:
    """Appends events to a new log; with ``again``, to a new log or one that was begun.

    Lines reach the file by :meth:`flush`, or once ``LINES`` of them are buffered. The referee
    flushes before it asks scripts, but not before the many thousand questions to class bots. After
    a crash part of such a match is played again. The seal is synced to the disk; with ``durable``,
    every flush is.

    ``log`` has the events of a log that was begun. The caller writes them again; equal lines are
    skipped, and the first new line is appended.

    Raises FileExistsError if ``path`` exists (not with ``again``), and InUse if another process
    writes it. Raises a LogError if the file is damaged, ResumeMismatch if an event differs from
    the line in the file, and WriteError if writing fails.
    """

    def __init__(self, path: Path, *, again: bool = False, durable: bool = False) -> None:
        self.path = path
        self.events = 0
        self.log: Log | None = None
        self._recorded: list[bytes] = []
        self._durable = durable
        self._hash = sha256()
        self._lines: list[bytes] = []
        self._file = AppendOnlyFile(path, 0 if again else os.O_EXCL)
        if again:
            try:
                self._read_existing()
            except BaseException:
                self._file.close()
                raise
        self._begun = len(self._recorded)

    def _read_existing(self) -> None:
        data = self._file.read_existing()
        try:
            self.log = parse(data, self.path)
        except IncompleteLog as error:
            self.log = error.log
        *self._recorded, _ = data.split(b"\n")

    def write(self, event: Event) -> None:
        """Append one event as the next line. Raises GameError if the line is too long."""
        new = line(self.events, event)
        if len(new) > LINE_BYTES:
            problem = f"expected events of up to {LINE_BYTES} bytes, found {len(new)}"
            raise GameError(f"{self.path}: event {self.events}: {problem}.")
        if self.events < self._begun:
            self._compare(new)
        else:
            self._lines.append(new)
        self.events += 1
        if len(self._lines) == LINES:
            self.flush()

    def flush(self) -> None:
        """Write the buffered lines to the file."""
        if not self._lines:
            return
        data = b"".join(self._lines)
        self._lines.clear()
        self._hash.update(data)
        self._file.append(data)
        if self._durable:
            self._file.sync()

    def seal(self, kind: str, seed: str | None = None, sync: bool = True) -> str:
        """Append the seal of a match, tournament or contest (``kind``); return the hash in it.

        An imported log and a contest have no ``seed``. Without ``sync``, the caller has to call
        :meth:`sync`.
        """
        self.flush()
        digest = self._hash.hexdigest()
        revealed = {} if seed is None else {"seed": seed}
        self.write({"type": f"{kind}_sealed", **revealed, "events": self.events, "sha256": digest})
        self.flush()
        if sync:
            self.sync()
        return digest

    def sync(self) -> None:
        """Wait until every flushed line is on the disk."""
        self._file.sync()

    def close(self) -> None:
        """Flush and close the file; a log that was not sealed stays without a seal."""
        try:
            if not self._file.partial_line:
                self.flush()
        finally:
            self._file.close()

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _compare(self, expected: bytes) -> None:
        """Compare a line to be written with the recorded one. Raises ResumeMismatch."""
        actual = self._recorded[self.events] + b"\n"
        if expected != actual:
            pairs = enumerate(zip(expected, actual, strict=False))
            position = next(n for n, (a, b) in pairs if a != b)
            around = slice(max(0, position - 20), position + 40)
            shown = [repr(text[around].decode(errors="replace")) for text in (expected, actual)]
            problem = (
                f"expected {shown[0]}, found {shown[1]}: it was changed, or begun by another "
                "version of Koth or of its game"
            )
            if self.log is not None and self.log.kind == "match":
                problem += ", or a bot that failed does not fail again. Remove it to play the "
                problem += "match again"
            raise ResumeMismatch(self.path, self.events + 1, problem)
        self._hash.update(expected)
