"""Where logs lie: single files, tournament folders, bundles, and folders of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TypeVar

from schema.bundle import SUFFIX, Bundle, Member, is_bundle
from schema.errors import LogError, NothingToDo, UsageError
from schema.log_path import LogPath, printable

TOURNAMENT = "tournament.jsonl"
MATCHES = "matches"
EVIDENCE = "evidence"
CHECKPOINT = "checkpoint"
SEED = "seed.private"
"""The seed of a tournament that is being played; it never leaves its folder."""

ROOT = PurePosixPath()
"""The folder of a bundle that all its files are in."""

P = TypeVar("P", bound=LogPath)


def home(log: P) -> P:
    """The folder of the tournament, or of the lone match, that a log belongs to."""
    return log.parent.parent if log.parent.name == MATCHES else log.parent


def evidence(log: P) -> P:
    """Where the evidence of a match lies, by its log."""
    return home(log) / EVIDENCE / log.name


def logs(paths: Iterable[Path]) -> list[LogPath]:
    """The logs at ``paths``: files as they are, folders and bundles searched for ``*.jsonl``.

    Evidence is no log (:func:`is_evidence`) and is passed over. A bundle that cannot be opened is
    in the list as it is: reading it says why. Raises UsageError for a path that does not exist, and
    NothingToDo when there is no log at all.
    """
    found: list[LogPath] = []
    searched: list[str] = []
    for path in paths:
        searched.append(str(path))
        at = place(path)
        if isinstance(at, Member):
            found += in_bundle(at.bundle, at.inner) if at.is_dir() else [at]
        elif path.is_dir():
            for entry in sorted([*path.rglob("*.jsonl"), *path.rglob(f"*{SUFFIX}")]):
                inner = entry.relative_to(path).parts
                if path.absolute().name == MATCHES:
                    inner = (MATCHES, *inner)
                if not is_evidence(inner) and entry.is_file():
                    found += _in(entry)
        else:
            found += _in(path)
    if not found:
        raise NothingToDo(f"{printable(', '.join(searched))}: no log (*.jsonl) is in there.")
    return list(dict.fromkeys(found))


def is_evidence(parts: Sequence[str]) -> bool:
    """Whether the file at the end of a path is evidence: in a folder of that name.

    Not so below the matches: what is there counts as a match, wherever somebody put it.
    """
    folders = parts[:-1]
    above = folders[: folders.index(MATCHES)] if MATCHES in folders else folders
    return EVIDENCE in above


def contents(tournament: Path) -> Iterator[tuple[str, Path]]:
    """The files of a tournament that a bundle holds, with their names in it, sorted by these.

    Raises UsageError for what is neither file nor folder, and for a name that is not UTF-8.
    """
    found = [path for name in (TOURNAMENT, CHECKPOINT) if (path := tournament / name).exists()]
    for name in (MATCHES, EVIDENCE):
        found += [path for path in [tournament / name] if path.is_symlink()]
        found += (tournament / name).rglob("*")
    for path in sorted(found, key=lambda path: path.relative_to(tournament).as_posix()):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise UsageError(f"{path}: expected a file or a folder, found something else.")
        if not str(path.relative_to(tournament)).isprintable():
            raise UsageError(f"{str(path)!r}: expected a printable name. Rename it.")
        if path.is_file() and path.name != SEED:
            yield path.relative_to(tournament).as_posix(), path


def log(path: Path) -> LogPath:
    """The one log at ``path``, which may lead into a bundle. Raises UsageError if it is none."""
    at = place(path)
    if at.is_dir() or is_bundle(path):
        found = "expected one log, found several. Name one that is in there."
        raise UsageError(f"{printable(str(path))}: {found}")
    return at


def place(path: Path) -> LogPath:
    """``path`` itself, or the place in a bundle that it leads to, as if that were a folder.

    Raises UsageError when there is no such place, and CorruptLog when the bundle is damaged.
    """
    if path.exists():
        return path
    for parent in path.parents:
        if is_bundle(parent):
            member = Member(Bundle(parent), PurePosixPath(path.relative_to(parent)))
            if member.exists():
                return member
    raise UsageError(f"{printable(str(path))}: there is no such file or folder.")


def in_bundle(bundle: Bundle, inner: PurePosixPath = ROOT) -> Iterator[Member]:
    """The logs in a bundle, or in one folder of it. Raises a LogError for one that is damaged."""
    folder = "" if inner == ROOT else f"{inner}/"
    return (
        Member(bundle, PurePosixPath(name))
        for name in names_in_bundle(bundle)
        if name.startswith(folder)
    )


def names_in_bundle(bundle: Bundle) -> list[str]:
    """The names of the logs in a bundle. Raises a LogError for one that is damaged."""
    names = (entry.file for entry in bundle.entries)
    return [name for name in names if name.endswith(".jsonl") and not is_evidence(name.split("/"))]


def _in(path: Path) -> Iterable[LogPath]:
    """The logs in one file: itself, or what a bundle holds."""
    if not is_bundle(path):
        return [path]
    bundle = Bundle(path)
    try:
        return list(in_bundle(bundle))
    except (LogError, OSError):
        return [bundle.root]
