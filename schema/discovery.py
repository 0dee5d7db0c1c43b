"""Find logs: single files, tournament folders, bundles, and folders of them."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import TypeVar, cast

from schema.bundle import SUFFIX, Bundle, Member, is_bundle
from schema.errors import LogError, NothingToDo, UsageError
from schema.files import KINDS, exists, refuse_links
from schema.log_path import LogPath, printable
from schema.logs import Logs, Run, run_of
from schema.system_errors import raise_exhaustion, raise_system_error
from schema.words import similar_name

TOURNAMENT = "tournament.jsonl"
MATCHES = "matches"
EVIDENCE = "evidence"
CHECKPOINT = "checkpoint"
SEED = "seed.private"
"""The seed of a tournament that is not finished; it never leaves its folder."""

CONTEST = "contest.jsonl"
BOTS = "bots"
"""The folder of a contest with the files of its bots, as they were entered."""
STAGES = "stages"
CHECKPOINTS = "checkpoints"
"""The folder of all checkpoints of a contest, each under the number of lines that it is about."""
SEEDS = "seeds.private"
"""The last seed of a contest's chain, until the contest is closed."""

MATCH = re.compile(r"(\d+/)?(\d+-)?\d+")
"""The id or the number of a match, maybe after that of a stage."""

P = TypeVar("P", bound=LogPath)


def absolute(path: P) -> P:
    """Return ``path`` so that it names all folders around it; in a bundle, all in the bundle."""
    if not isinstance(path, Path):
        return path
    return cast(P, Path(os.path.abspath(path)))  # noqa: PTH100 - it follows no link


def home(log: P) -> P:
    """Return the folder of the tournament, or of the single match, that a log belongs to."""
    folder = log.parent
    if folder.name == MATCHES:
        return folder.parent
    is_unnamed = folder.name in ("", "..")  # only the working folder says how it is called
    return folder / ".." if is_unnamed and absolute(folder).name == MATCHES else folder


def stage_name(number: int) -> str:
    """Return the name of the folder of a contest's stage, such as ``0001``."""
    return f"{number:04}"


def stage_of(log: P) -> tuple[P, str] | None:
    """Return the contest's folder and the name of the stage's folder of a log in a stage.

    Of stages inside each other it is the nearest. The contest's folder is absolute if only the
    working folder says that the log is in a stage.
    """
    for path in (log, absolute(log)):
        folder = path.parent
        while folder != folder.parent:
            if folder.parent.name == STAGES:
                return folder.parent.parent, folder.name
            folder = folder.parent
    return None


def evidence(log: P) -> P:
    """Return the path of a match's evidence, from that of its log."""
    return home(log) / EVIDENCE / log.name


def logs(paths: Iterable[Path]) -> Logs:
    """Return the logs at ``paths``; folders and bundles are searched for ``*.jsonl``.

    Evidence is left out (:func:`is_evidence`). A bundle that cannot be opened is in the list, so
    that reading it reports the reason. Raises UsageError for a path that does not exist, and
    NothingToDo if there is no log.
    """
    searched = list(paths)
    found = Logs.joined(run for path in searched for run in runs_at(path))
    if not found:
        places = printable(", ".join(map(str, searched)))
        raise NothingToDo(f"{places}: expected a log (*.jsonl), found none.")
    return found


def without_logs(paths: Iterable[Path]) -> list[Path]:
    """Return the folders among ``paths`` that have no log."""
    return [path for path in paths if path.is_dir() and not any(True for _ in logs_at(path))]


def logs_at(path: Path) -> Iterator[LogPath]:
    """Return the logs at one path, in order. Raises UsageError if it does not exist."""
    return (folder / name for folder, names in runs_at(path) for name in names)


def runs_at(path: Path) -> Iterable[Run]:
    """Return the logs at one path as folders with names. Raises UsageError if it does not exist."""
    resolved = resolve(path)
    if isinstance(resolved, Member):
        return _runs_in_bundle(resolved) if resolved.is_dir() else [run_of(resolved)]
    return _runs_in_folder(path) if path.is_dir() else _runs_in_file(Path(str(resolved)))


def _runs_in_folder(folder: Path) -> Iterator[Run]:
    """Yield the logs below ``folder``, sorted by path."""
    names = (MATCHES,) if folder.absolute().name == MATCHES else ()
    open_folders = [_runs_and_folders(folder, names)]
    while open_folders:  # no recursion, since folders may be inside each other thousands deep
        match next(open_folders[-1], None):
            case None:
                open_folders.pop()
            case (Path() as inner, tuple() as names):
                open_folders.append(_runs_and_folders(inner, names))
            case run:
                yield run


def _runs_and_folders(
    folder: Path, inside: tuple[str, ...]
) -> Iterator[Run | tuple[Path, tuple[str, ...]]]:
    """Yield the logs in ``folder``, and its folders, each with the names of the folders around it.

    A folder without permission to read counts as a log, so that reading it reports the reason.
    Links to folders are left out; so are evidence and the bots of a contest. Among matches there is
    no contest: every log there is a match.
    """
    try:
        with os.scandir(folder) as found:
            entries = sorted((entry.name, *_kinds(entry)) for entry in found)
    except PermissionError:
        yield run_of(folder)
        return
    except OSError as error:  # such as a path that is too long
        raise_system_error(error)
        return
    is_contest = MATCHES not in inside and any(
        name == CONTEST and not is_folder for name, is_folder, _ in entries
    )
    for name, is_folder, is_file in entries:
        if is_folder:
            path, inner = folder / name, (*inside, name)
            if (is_contest and name == BOTS) or is_evidence(inner):
                continue
            if os.access(path, os.X_OK) or not os.path.lexists(path):
                yield path, inner
            else:
                yield folder, [name]
        elif name.endswith((".jsonl", SUFFIX)) and (
            is_file or os.path.isfile(folder / name)  # noqa: PTH113
        ):
            is_log = name.endswith(".jsonl")
            yield from [(folder, [name])] if is_log else _runs_in_file(folder / name)


def _kinds(entry: os.DirEntry[str]) -> tuple[bool, bool]:
    """Return whether it is a folder, and whether it is a file; a link is neither."""
    return entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False)


def files_below(folder: LogPath) -> Iterator[tuple[str, LogPath]]:
    """Yield the files in a folder at any depth: relative path, and path.

    A folder that does not exist has none. Raises OSError for a link or a device.
    """
    if isinstance(folder, Member):
        prefix = folder.prefix
        for entry in folder.bundle.entries:
            if entry.file.startswith(prefix):
                name = entry.file.removeprefix(prefix)
                yield name, folder / name
    elif isinstance(folder, Path):
        for path in sorted(everything_below(folder)):
            refuse_links(path, folder)
            if not path.is_dir():
                yield path.relative_to(folder).as_posix(), path


def everything_below(folder: Path) -> Iterator[Path]:
    """Yield the files and folders below ``folder``, none if that is no folder; follow no link.

    Raises OSError for a folder that cannot be read, where ``Path.rglob`` would leave out its files.
    """
    folders = [folder] if folder.is_dir() else []
    for inner in folders:
        with os.scandir(inner) as found:
            entries = [(inner / entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
        yield from (path for path, _ in entries)
        folders += [path for path, is_folder in entries if is_folder]


def is_evidence(folders: Sequence[str]) -> bool:
    """Return whether a file in these folders, outermost first, is in a folder ``evidence``.

    A file below the folder ``matches`` is always a match, whatever its folder is called.
    """
    above = folders[: folders.index(MATCHES)] if MATCHES in folders else folders
    return EVIDENCE in above


def tournament_files(tournament: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of a tournament or a contest that a bundle holds: name, and path, sorted.

    Seeds are left out, but not the files of bots, whatever their names.
    Raises UsageError for a link or a device, and for a name that is not printable; OSError for a
    folder that cannot be read.
    """
    is_contest = (tournament / CONTEST).exists()
    own = (CONTEST if is_contest else TOURNAMENT, CHECKPOINT)
    paths = [path for name in own if os.path.lexists(path := tournament / name)]
    for name in (BOTS, CHECKPOINTS, STAGES) if is_contest else (MATCHES, EVIDENCE):
        paths += [path for path in [tournament / name] if path.is_symlink()]
        paths += everything_below(tournament / name)
    for path in sorted(paths, key=lambda path: path.relative_to(tournament).as_posix()):
        kind = stat.S_IFMT(path.lstat().st_mode)
        if kind not in (stat.S_IFREG, stat.S_IFDIR):
            found = KINDS.get(kind, "something else")
            raise UsageError(f"{path}: expected a file or a folder, found {found}.")
        if not str(path.relative_to(tournament)).isprintable():
            raise UsageError(f"{str(path)!r}: expected a printable name. Rename it.")
        is_seed = path.name == SEED and not path.is_relative_to(tournament / BOTS)
        if path.is_file() and not is_seed:
            yield path.relative_to(tournament).as_posix(), path


def log(path: Path, remedy: str = "") -> LogPath:
    """Return the log at ``path``, on disk or in a bundle.

    Raises UsageError if it is a folder, with the remedy of :func:`not_one_log`.
    """
    resolved = resolve(path)
    if resolved.is_dir() or is_bundle(path):
        raise UsageError(not_one_log(path, remedy))
    return resolved


def not_one_log(path: Path, remedy: str) -> str:
    """Return a message: one log is expected, and ``path`` is a folder or a bundle.

    ``remedy`` says what to do if it has several, in addition to naming one. Raises LogError or
    OSError if all that is there is a bundle or a folder that cannot be read.
    """
    logs = [*islice(logs_at(path), 2)]
    if len(logs) == 1:
        _open_if_unread(logs[0])
    what = ("a folder without one", "a folder with one", "several")[len(logs)]
    several = printable(f" {_suggestion(path)}{remedy}.") if len(logs) == 2 else ""
    remedies = ("", " Name the log itself.", several)
    return f"{printable(str(path))}: expected one log, found {what}.{remedies[len(logs)]}"


def _suggestion(path: Path) -> str:
    """Return the advice to name the first match at ``path``, or else the first log."""
    for log in logs_at(path):
        if MATCH.fullmatch(stem := log.name.removesuffix(".jsonl")):
            return f"Name a match, such as {home(log)}/{stem}"
    return f"Name one, such as {next(logs_at(path))}"


def _open_if_unread(log: LogPath) -> None:
    """Open a bundle or a folder that stands for its logs: the error says why they are not here."""
    if not log.name.endswith(".jsonl"):
        log.open("rb").close()


def match_log(path: Path, match: str) -> LogPath:
    """Return the log of a match in a folder or bundle, by the match's id or number.

    ``STAGE/MATCH`` names that of a contest's stage, ``FOLDER/MATCH`` that of a tournament there.
    Raises UsageError if no log, or more than one, is of a match with this name; a LogError or
    OSError if a bundle or a folder there cannot be read.
    """
    if not resolve(path).is_dir() and not is_bundle(path):
        problem = f"{path}: expected a folder or a bundle with the match '{match}', found a file."
        raise UsageError(printable(problem))
    every = logs([path])
    matches = [log for log in every if _is_of(log, match)]
    if len(matches) == 1:
        return matches[0]
    place = printable(str(path))
    if not matches:
        for unread in every:
            _open_if_unread(unread)
        names = [log.name for log in every if log.name not in (TOURNAMENT, CONTEST)]
        ids = sorted(printable(name.removesuffix(".jsonl")) for name in names)
        known = f" Its matches are {ids[0]} to {ids[-1]}." if ids else ""
        if len(ids) == 1:
            known = f" Its only match is {ids[0]}."
        raise UsageError(f"{place}: there is no log of a match '{match}' in this folder.{known}")
    several = printable(", ".join(map(str, matches[:3])))
    raise UsageError(f"{place}: expected one match '{match}', found {several}. Name one.")


def _is_of(log: LogPath, word: str) -> bool:
    """Return whether a log is that of a match, given by its id or number, maybe in a folder."""
    folder, _, match = word.rpartition("/")
    name, stem = home(log).name, log.name.removesuffix(".jsonl")
    if folder and folder != name and not _is_number(name, folder):
        return False
    return match in (log.name, stem) or _is_number(stem.rpartition("-")[2], match)


def _is_number(digits: str, word: str) -> bool:
    """Return whether a word stands for the number in ``digits``."""
    return digits.isdecimal() and word.isdecimal() and digits.lstrip("0") == word.lstrip("0")


def resolve(path: Path) -> LogPath:
    """Return ``path`` itself, or the member of a bundle that it names as if that were a folder.

    A path such as ``spring/17`` is that of the log of match 17 in the folder ``spring``.
    Raises UsageError if it does not exist, and CorruptLog if the bundle is damaged.
    """
    if exists(path):
        return path
    for parent in path.parents:
        if is_bundle(parent):
            member = Member(Bundle(parent), PurePosixPath(path.relative_to(parent)))
            if member.exists():
                return member
    if not path.is_symlink() and (log := _match_at(path)) is not None:
        return log
    problem = f"{path}: there is no such file or folder.{similar_name(path)}"
    if path.is_symlink():
        problem = f"{path}: the link leads to {path.readlink()}, which does not exist."
    raise UsageError(printable(problem))


def _match_at(path: Path) -> LogPath | None:
    """Return the log of a match that ends a path as in :func:`match_log`.

    None if the path before it is not that of a tournament, a contest or a bundle. Raises UsageError
    if no log there is of a match with this name.
    """
    for folder in islice(path.parents, 2):
        match = path.relative_to(folder).as_posix()
        if folder.name and MATCH.fullmatch(match) and _has_matches(folder):
            return match_log(folder, match)
    return None


def _has_matches(folder: Path) -> bool:
    """Return whether this is the folder of a tournament or contest, or a bundle; search nothing."""
    if folder.name == MATCHES or is_bundle(folder):
        return exists(folder)
    return any(exists(folder / name) for name in (TOURNAMENT, CONTEST, MATCHES))


def folder_at(path: Path) -> LogPath:
    """Return the folder at ``path``, or the root of the bundle there. Raises as :func:`resolve`."""
    return Bundle(path).root if is_bundle(path) else resolve(path)


def _runs_in_bundle(folder: Member) -> Iterator[Run]:
    """Yield the logs in a folder of a bundle. Raises as Bundle does."""
    prefix = folder.prefix
    names = (name for name in log_names(folder.bundle) if name.startswith(prefix))
    for inner, split in groupby((name.rpartition("/") for name in names), itemgetter(0)):
        yield folder.bundle.root / inner, [name for _, _, name in split]


def log_names(bundle: Bundle) -> list[str]:
    """Return the names of the logs in a bundle. Raises as Bundle does."""
    names = (entry.file for entry in bundle.entries)
    bots = f"{BOTS}/" if CONTEST in bundle else "/"
    return [
        name
        for name in names
        if name.endswith(".jsonl")
        and not is_evidence(name.split("/")[:-1])
        and not name.startswith(bots)
    ]


def _runs_in_file(path: Path) -> Iterable[Run]:
    """Return the logs in one file: itself, or those of a bundle."""
    if not is_bundle(path):
        return [run_of(path)]
    root = Bundle(path).root
    try:
        return [*_runs_in_bundle(root)]
    except (LogError, OSError) as error:
        raise_exhaustion(error)
        return [run_of(root)]
