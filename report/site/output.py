"""The folder of a site: files are written only if they change, and only if Koth wrote them before.

The manifest ``.koth-site`` lists each file with the hash of its content, and the key of its
page: a hash of everything that the page was made from. A line is appended before its file is
written. A site that was interrupted at any moment is therefore completed by the next run: a file
that differs from its line is written again, and a file without a line is not Koth's.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

import orjson

from schema.errors import UsageError
from schema.files import (
    file_hash,
    make_folder,
    naming,
    open_descriptor,
    open_for_writing,
    open_regular,
    temporary_beside,
)
from schema.log_path import path_text
from schema.named_file import NamedFile

FORMAT = "koth-site/1"
MANIFEST = ".koth-site"

TEMPORARY = re.compile(r"\.koth-[0-9a-f]{16}\.tmp")
"""Names of files that an interrupted run may leave."""

PATH = re.compile(
    r"\.nojekyll|\.gitattributes|(?:[a-z0-9][a-zA-Z0-9_.-]*/)*[a-z0-9][a-zA-Z0-9_.~-]*"
)
"""Paths that Koth writes. A list with any other may lead out of the folder, or into ``.git``."""

NOT_OURS = (".git", "CNAME")
"""Names at the top that Koth neither writes nor refuses: those of a branch for GitHub Pages."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the site."""

    key: str
    digest: str
    """SHA-256 of its content, in hex."""


class Output:
    """The folder ``folder``, which may not exist yet.

    Raises UsageError if it contains a file that Koth did not write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._before: dict[str, Entry] = {}
        self._after: dict[str, Entry] = {}
        self._header: dict[str, object] = {}
        self._journal: NamedFile | None = None
        self._left_over: list[str] = []
        self._is_new = False
        self._read()
        self._check()
        self._by_key: dict[str, list[str]] = defaultdict(list)
        for path, entry in self._before.items():
            self._by_key[entry.key].append(path)

    def result(self, inputs: str) -> object:
        """Return the result of the last run if it had these inputs and its files are unchanged."""
        if self._header.get("inputs") != inputs or self._left_over:
            return None
        unchanged = all(self._digest(path) == entry.digest for path, entry in self._before.items())
        return self._header.get("result") if unchanged else None

    def keep(self, path: str, key: str) -> bool:
        """Keep the file at ``path``, and the others with its key, if they are unchanged.

        Return whether they are. A page is written after the other files with its key.
        """
        paths = self._by_key.get(key, ())
        if path not in paths or any(
            self._digest(other) != self._before[other].digest for other in paths
        ):
            return False
        self._after |= {other: self._before[other] for other in paths}
        return True

    def put(self, path: str, content: bytes, key: str = "") -> None:
        """Write a file, unless it has this content already."""
        entry = Entry(key, sha256(content).hexdigest())
        if self._record(path, entry):
            with self._replaced(path) as file:
                file.write(content)

    def put_file(self, path: str, source: Path) -> None:
        """Copy a file, unless it has this content already."""
        if self._record(path, Entry("", file_hash(source))):
            with source.open("rb") as content, self._replaced(path) as file:
                shutil.copyfileobj(content, file)

    def begin(self) -> None:
        """Make the folder, and remove what an interrupted run left over."""
        self._is_new = not self._folder.exists()
        make_folder(self._folder)
        for path in self._left_over:
            (self._folder / path).unlink()
        self._write_manifest({"format": FORMAT}, self._before)
        manifest = self._folder / MANIFEST
        self._journal = NamedFile(
            open_descriptor(manifest, os.O_WRONLY | os.O_APPEND), manifest, "a"
        )

    def finish(self, inputs: str, result: object) -> None:
        """Remove files of the last run that are not part of the site any more."""
        self.close()
        for path in self._before.keys() - self._after.keys():
            target = self._folder / path
            target.unlink(missing_ok=True)
            for parent in target.relative_to(self._folder).parents:
                with suppress(OSError):  # it has other files, as the site's own, or was never made
                    (self._folder / parent).rmdir()
        header = {"format": FORMAT, "inputs": inputs, "result": result}
        self._write_manifest(header, self._after)

    def close(self) -> None:
        """Close the manifest, and remove it after a failure before the first file."""
        if self._journal is None:
            return
        self._journal.close()
        self._journal = None
        if not (self._before or self._after):
            (self._folder / MANIFEST).unlink(missing_ok=True)
            if self._is_new:
                with suppress(OSError):  # a file of somebody else came
                    self._folder.rmdir()

    def _record(self, path: str, entry: Entry) -> bool:
        """Note a file of the site, and return whether it must be written."""
        assert path not in self._after, path
        assert PATH.fullmatch(path), path
        assert self._journal is not None
        self._after[path] = entry
        if self._before.get(path) != entry:
            remaining = memoryview(_line(path, entry))
            while remaining:  # a full disk may take a part
                remaining = remaining[self._journal.write(remaining) :]
        return self._digest(path) != entry.digest

    @contextmanager
    def _replaced(self, path: str) -> Iterator[IO[bytes]]:
        """Yield a file that appears at ``path`` when it is complete.

        Nothing is synced to the disk: the manifest shows which files are not whole.
        """
        target = self._folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = temporary_beside(target)
        with naming(target):
            try:
                with open_for_writing(temporary, new=True) as file:
                    yield file
                temporary.replace(target)
            finally:
                temporary.unlink(missing_ok=True)

    def _digest(self, path: str) -> str | None:
        """Return the SHA-256 of a file as it is now, or None if there is none."""
        try:
            return file_hash(self._folder / path)
        except FileNotFoundError:
            return None

    def _read(self) -> None:
        """Read the manifest, as far as an interrupted run has written it."""
        try:
            with open_regular(self._folder / MANIFEST) as file:
                first, *lines = [line for line in file if line.endswith(b"\n")] or [b"{}"]
                self._header = orjson.loads(first)
                if self._header["format"] != FORMAT:
                    raise ValueError
                for line in lines:
                    match orjson.loads(line):
                        case {"path": str(path), "key": str(key), "sha256": str(digest)} if (
                            PATH.fullmatch(path)
                        ):
                            self._before[path] = Entry(key, digest)
                        case _:
                            raise ValueError
        except (FileNotFoundError, NotADirectoryError):
            return
        except (ValueError, KeyError, TypeError):
            raise UsageError(
                f"{path_text(self._folder / MANIFEST)}: expected the list of a site's files "
                f"({FORMAT}), found something else. Write the site into a new folder."
            ) from None

    def _check(self) -> None:
        """Raise UsageError for links and files not in the manifest, and find temporary files."""
        if self._folder.exists() and not self._folder.is_dir():
            raise UsageError(f"-o {path_text(self._folder)}: expected a folder, found a file.")
        for path in self._files():
            is_listed = path in self._before or path == MANIFEST
            if TEMPORARY.fullmatch(path.rpartition("/")[2]):
                self._left_over.append(path)
            elif not is_listed or (self._folder / path).is_symlink():
                raise UsageError(
                    f"-o {path_text(self._folder)}: expected a new folder or one that `koth site` "
                    f"wrote, found {path_text(path)} in it. Move that file, or write elsewhere."
                )

    def _files(self) -> Iterator[str]:
        """Yield the relative paths of all files and links in the folder."""
        for folder, folders, files in os.walk(self._folder):
            inside = Path(folder).relative_to(self._folder)
            if inside == Path():
                folders[:] = [name for name in folders if name not in NOT_OURS]
                files = [name for name in files if name not in NOT_OURS]
            links = [name for name in folders if (Path(folder) / name).is_symlink()]
            yield from ((inside / name).as_posix() for name in sorted([*files, *links]))

    def _write_manifest(self, header: object, entries: dict[str, Entry]) -> None:
        with self._replaced(MANIFEST) as file:
            file.write(orjson.dumps(header, option=orjson.OPT_APPEND_NEWLINE))
            for path, entry in sorted(entries.items()):
                file.write(_line(path, entry))


def _line(path: str, entry: Entry) -> bytes:
    value = {"path": path, "key": entry.key, "sha256": entry.digest}
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
