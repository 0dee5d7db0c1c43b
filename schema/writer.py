"""The one writer of logs: appends events as they happen, and seals."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from schema.canonical import Event, line
from schema.errors import KothError


class WriteError(KothError):
    """A log could not be written; what was written before stands."""

    exit_code = 4


class LogWriter:
    """Appends events to a new file.

    Lines reach the file when :meth:`flush` is called, which the referee does before it asks a bot.
    Raises FileExistsError when there is a file at ``path``, and WriteError when the disk refuses.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.events = 0
        self._hash = sha256()
        self._file = path.open("xb")

    def write(self, event: Event) -> None:
        """Append one event as the next line."""
        written = line(self.events, event)
        self._hash.update(written)
        self.events += 1
        try:
            self._file.write(written)
        except OSError as error:
            raise self._failed(error) from error

    def flush(self) -> None:
        """Hand everything written so far to the operating system."""
        try:
            self._file.flush()
        except OSError as error:
            raise self._failed(error) from error

    def seal(self, kind: str, seed: str | None = None) -> str:
        """Append the seal of a ``kind`` (match or tournament) and return the hash in it.

        An imported log has no ``seed``.
        """
        digest = self._hash.hexdigest()
        revealed = {} if seed is None else {"seed": seed}
        self.write({"type": f"{kind}_sealed", **revealed, "events": self.events, "sha256": digest})
        self.flush()
        return digest

    def close(self) -> None:
        """Close the file; a log that was not sealed stays without a seal."""
        try:
            self._file.close()
        except OSError as error:
            raise self._failed(error) from error

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _failed(self, error: OSError) -> WriteError:
        return WriteError(
            f"{self.path}: line {self.events} could not be written: {error.strerror}. "
            "Make room or mend the disk; the lines above it stand."
        )
