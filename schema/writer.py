"""The one writer of logs: appends events as they happen, seals, and goes on with what was begun.

Whatever happens to it, and whenever, a log on disk is a beginning of what was to be written: whole
lines, perhaps with a torn one behind them. It is taken up again by writing the same events once
more, from the first.
"""

from __future__ import annotations

import fcntl
import os
from hashlib import sha256
from pathlib import Path

from schema.canonical import Event, line
from schema.errors import GameError, KothError, LogError, UsageError
from schema.files import LINE_BYTES, regular
from schema.reader import IncompleteLog, Log, parse
from schema.scan import rest

LINES = 256
"""How many lines are kept before they are written, if nobody asks for it earlier."""


class WriteError(KothError):
    """A file could not be written; what was written before stands."""

    exit_code = 4

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(
            f"{path}: could not be written: {error.strerror}. The whole lines in it stand; make "
            "room or mend the disk, then `koth resume` goes on with a tournament."
        )


class InUse(UsageError):
    """Somebody else is writing the file."""


class ResumeMismatch(LogError):
    """What stands in a log that is taken up is not what has to be written there."""


class AppendOnlyFile:
    """A file that only grows, and that one process at a time can write.

    ``flags`` and ``mode`` are as in ``os.open``; some flags are always set. A link is not followed:
    somebody may have planted it. Raises OSError when the file cannot be opened, InUse when another
    command has it open, and WriteError when the disk refuses later; nothing is written after a
    piece that may be torn.
    """

    def __init__(self, path: Path, flags: int = 0, mode: int = 0o666) -> None:
        self.path = path
        flags |= os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
        self._fd = regular(path, flags, mode)
        self._whole: int | None = None
        self._failed: OSError | None = None
        self._named = False
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._fd)
            told = "another command is writing this. Wait for its end, or end it"
            raise InUse(f"{path}: {told}; one can write at a time.") from None

    def take_up(self) -> bytes:
        """Return the file's lines. A torn last line is cut away before something is appended.

        Raises CorruptLog for a line that is too long.
        """
        with os.fdopen(os.dup(self._fd), "rb") as file:
            file.seek(0)
            data = rest(self.path, file)
        whole = data.rfind(b"\n") + 1
        self._whole = whole if whole < len(data) else None
        return data

    def append(self, data: bytes) -> None:
        """Append all of ``data``."""
        if self._failed is not None:
            raise WriteError(self.path, self._failed)
        self._failed = OSError(0, "an earlier piece of it may be torn")
        try:
            if self._whole is not None:
                os.ftruncate(self._fd, self._whole)
                self._whole = None
            left = memoryview(data)
            while left:
                left = left[os.write(self._fd, left) :]
        except OSError as error:
            self._failed = error
            raise WriteError(self.path, error) from error
        self._failed = None

    @property
    def partial_line(self) -> bool:
        """Whether a piece was perhaps written in part, so that nothing may follow it."""
        return self._failed is not None

    def sync(self) -> None:
        """Wait until all of it is on the disk, and the file's name in its folder."""
        try:
            os.fsync(self._fd)
            if not self._named:
                folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
                self._named = True
        except OSError as error:
            raise WriteError(self.path, error) from error

    def close(self) -> None:
        """Close the file, and let others write it."""
        try:
            os.close(self._fd)
        except OSError as error:
            raise WriteError(self.path, error) from error

    def __enter__(self) -> AppendOnlyFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class LogWriter:
    """Appends events to a new file; or, with ``again``, to a log that is perhaps begun already.

    Lines reach the file when :meth:`flush` is called, or when some hundred have gathered. The
    referee flushes before it asks scripts, so that what happened until then is on disk; not so
    where class bots are asked many thousand times, of whose matches a part may have to be played
    again. The seal is synced to the disk; with ``durable`` so is every flush.

    Of a log that was begun, ``log`` is what can be read of it. All its events have to be written
    again, and must give the very same lines; only what follows them is appended.

    Raises FileExistsError when there is a file at ``path`` already (not with ``again``), InUse when
    somebody else writes it, a LogError when what is there is damaged, OtherEvent when it is not
    what has to be there, and WriteError when the disk refuses.
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
                self._take_up()
            except BaseException:
                self._file.close()
                raise
        self._begun = len(self._recorded)

    def _take_up(self) -> None:
        data = self._file.take_up()
        try:
            self.log = parse(data, self.path)
        except IncompleteLog as error:
            self.log = error.log
        *self._recorded, _ = data.split(b"\n")

    def write(self, event: Event) -> None:
        """Append one event as the next line."""
        written = line(self.events, event)
        if len(written) > LINE_BYTES:
            told = f"expected events of up to {LINE_BYTES} bytes, found {len(written)}"
            raise GameError(f"{self.path}: event {self.events}: {told}.")
        if self.events < self._begun:
            self._compare(written)
        else:
            self._lines.append(written)
        self.events += 1
        if len(self._lines) == LINES:
            self.flush()

    def flush(self) -> None:
        """Hand everything written so far to the operating system."""
        if not self._lines:
            return
        written = b"".join(self._lines)
        self._lines.clear()
        self._hash.update(written)
        self._file.append(written)
        if self._durable:
            self._file.sync()

    def seal(self, kind: str, seed: str | None = None, sync: bool = True) -> str:
        """Append the seal of a ``kind`` (match or tournament) and return the hash in it.

        An imported log has no ``seed``. Without ``sync`` it is for the caller to :meth:`sync`.
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
        """Wait until all that was flushed is on the disk."""
        self._file.sync()

    def close(self) -> None:
        """Close the file; a log that was not sealed stays without a seal."""
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
        """Hold a line that has to be written against the one that is there."""
        found = self._recorded[self.events] + b"\n"
        if expected != found:
            same = next(n for n, (a, b) in enumerate(zip(expected, found, strict=False)) if a != b)
            wanted, there = (
                repr(one[max(0, same - 20) : same + 40].decode(errors="replace"))
                for one in (expected, found)
            )
            told = f"expected {wanted}, found {there}: it was changed, or begun by another koth"
            if self.log is not None and self.log.kind == "match":
                told += ", or a bot that failed does not fail again. Remove it to have the match "
                told += "played anew"
            raise ResumeMismatch(self.path, self.events + 1, told)
        self._hash.update(expected)
