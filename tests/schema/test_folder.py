"""Find logs in folders and bundles, and report folders without logs."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import PropertyMock, patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.bundle import Bundle, Member, write
from schema.discovery import (
    everything_below,
    evidence,
    files_below,
    home,
    logs,
    match_log,
    resolve,
    stage_of,
    without_logs,
)
from schema.discovery import log as one_log
from schema.errors import CorruptLog, NothingToDo, UsageError
from schema.log_path import LogPath
from schema.logs import Logs
from schema.tournament_tree import added_log


def lay(folder: Path, *names: str) -> list[Path]:
    """Make empty files in ``folder`` and return their paths."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")
    return [folder / name for name in names]


def test_a_tournament_is_its_matches_and_its_own_log(tmp_path: Path) -> None:
    """The logs of a tournament's folder come in order, with the tournament's log last."""
    expected = lay(tmp_path, "matches/1-000000.jsonl", "matches/1-000001.jsonl", "tournament.jsonl")
    lay(tmp_path, "seed.private", "checkpoint", "matches/notes.txt", "matches/1-000002.jsonl.tmp")
    assert [*logs([tmp_path])] == expected


def test_a_match_that_its_tournament_does_not_name_is_added(tmp_path: Path) -> None:
    """The first match that the tournament does not name is found; no folder has none."""
    assert added_log(tmp_path / "tournament.jsonl", ["1-000000"]) is None
    one, two = lay(tmp_path, "matches/1-000000.jsonl", "matches/1-000001.jsonl")
    assert added_log(tmp_path / "tournament.jsonl", ["1-000000", "1-000001"]) is None
    assert added_log(tmp_path / "tournament.jsonl", ["1-000000"]) == two
    assert added_log(tmp_path / "tournament.jsonl", []) == one


def test_evidence_is_passed_over(tmp_path: Path) -> None:
    """Files of evidence are no logs, at any depth below the folder given."""
    [log] = lay(tmp_path, "spring/matches/1-000000.jsonl")
    lay(tmp_path, "spring/evidence/1-000000.jsonl", "evidence/deep/down.jsonl")
    assert [*logs([tmp_path])] == [log]


def test_what_is_below_the_matches_is_no_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder called evidence among the matches hides no log."""
    extra = lay(tmp_path, "matches/.jsonl", "matches/evidence/x.jsonl")
    for path in (tmp_path, tmp_path / "matches"):
        assert {*logs([path])} == {*extra}
    monkeypatch.chdir(tmp_path / "matches")
    assert [*map(str, logs([Path()]))] == [".jsonl", "evidence/x.jsonl"]


def test_only_a_contest_has_bots_that_are_no_logs(tmp_path: Path) -> None:
    """Files of bots are left out beside a contest's log, which is a file and among no matches."""
    [contest, _] = lay(tmp_path, "cup/contest.jsonl", "cup/bots/anna/hand.jsonl")
    others = lay(
        tmp_path,
        "robots/bots/a.jsonl",
        "strange/bots/a.jsonl",
        "strange/contest.jsonl/a.jsonl",
        "spring/matches/bots/a.jsonl",
        "spring/matches/contest.jsonl",
    )
    assert [*logs([tmp_path])] == sorted([contest, *others])


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOENT, errno.ENAMETOOLONG, errno.EIO])
def test_a_folder_that_cannot_be_read(number: int, tmp_path: Path) -> None:
    """One without permission is listed, a removed one left out; a disk that fails is an error."""
    lay(tmp_path, "a.jsonl", "inner/b.jsonl", "z.jsonl")
    read = os.scandir

    def scandir(folder: Path) -> Any:
        if folder.name == "inner":
            raise OSError(number, os.strerror(number), str(folder))
        return read(folder)

    with patch.object(os, "scandir", scandir):
        if number == errno.EIO:
            with pytest.raises(OSError, match="Input/output"):
                logs([tmp_path])
            return
        names = [log.name for log in logs([tmp_path])]
    assert names == ["a.jsonl", *(["inner"] if number == errno.EACCES else []), "z.jsonl"]


def test_a_folder_that_cannot_be_entered_is_listed(tmp_path: Path) -> None:
    """A folder that may be listed but not entered counts as a log, whatever is in it."""
    [log, hidden] = lay(tmp_path, "a.jsonl", "inner/b.jsonl")

    def access(path: Path, mode: int) -> bool:
        return path != hidden.parent or mode & os.X_OK == 0

    with patch.object(os, "access", access):  # root may enter every folder
        assert [*logs([tmp_path])] == [log, hidden.parent]

    def remove(path: Path, mode: int) -> bool:
        shutil.rmtree(path)
        return False

    with patch.object(os, "access", remove):  # another command removes it meanwhile
        assert [*logs([tmp_path])] == [log]


def test_a_log_in_the_working_folder_has_the_folders_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path leads to the same tournament, evidence and stage as an absolute one."""
    stage = tmp_path / "cup/stages/0001"
    [log, deep, single] = lay(stage, "matches/m.jsonl", "matches/x/m.jsonl", "single.jsonl")
    for folder in (tmp_path, stage, stage / "matches", stage / "matches/x"):
        monkeypatch.chdir(folder)
        for path in (log, deep, single):
            relative = Path(os.path.relpath(path))
            assert (
                home(relative).resolve() == home(path) == (stage if path != deep else path.parent)
            )
            assert evidence(relative).resolve() == evidence(path)
            contest, name = stage_of(relative) or (Path(), "")
            assert (contest.resolve(), name) == stage_of(path) == (tmp_path / "cup", "0001")
    monkeypatch.chdir(tmp_path)
    assert home(Path("matches/m.jsonl")) == Path()
    assert home(Path("m.jsonl")) == Path()
    assert stage_of(Path("m.jsonl")) is None


FOLDERS = st.lists(st.sampled_from(["matches", "evidence", "more"]), max_size=3)
FILES = st.sampled_from([".jsonl", "x.jsonl", "tournament.jsonl", "notes.txt"])


@given(st.sets(st.tuples(FOLDERS.map(tuple), FILES), min_size=1, max_size=6))
def test_folder_and_bundle_agree_on_what_a_log_is(files: set[tuple[tuple[str, ...], str]]) -> None:
    """A folder and a bundle of the same files have the same logs."""
    names = sorted("/".join([*folders, file]) for folders, file in files)
    with TemporaryDirectory() as place:
        home = Path(place) / "spring"
        lay(home, *names)
        write(((name, b"") for name in names), Path(place) / "spring.jsonl.zst")
        found = []
        for path in (home, Path(place) / "spring.jsonl.zst"):
            try:
                inside = [str(log)[len(str(path)) + 1 :] for log in logs([path])]
            except NothingToDo:
                inside = []
            found.append(sorted(inside))
    assert found[0] == found[1]


def test_a_folder_below_one_called_evidence_is_searched(tmp_path: Path) -> None:
    """The place of the given folder itself does not matter."""
    [log] = lay(tmp_path, "evidence/spring/matches/1-000000.jsonl")
    assert [*logs([tmp_path / "evidence" / "spring"])] == [log]


def test_a_file_given_is_taken_as_it_is(tmp_path: Path) -> None:
    """A file that is named is a log, whatever its name."""
    named = lay(tmp_path, "a.log", "evidence/b.jsonl")
    assert [*logs(named)] == named


def test_no_log_comes_twice(tmp_path: Path) -> None:
    """A log in two of the given paths, however they are written, is listed once, in their order."""
    one, two = lay(tmp_path, "a.jsonl", "b.jsonl")
    relative, link = Path(os.path.relpath(tmp_path)), tmp_path / "link"
    link.symlink_to(tmp_path)
    paths = [two, tmp_path, tmp_path, relative, relative / "a.jsonl", link, link / "a.jsonl"]
    assert [*logs(paths)] == [two, one]


def test_no_log_of_a_bundle_comes_twice(tmp_path: Path) -> None:
    """A bundle whose path is given in two ways has each of its logs once."""
    bundle = tmp_path / "spring.jsonl.zst"
    write([("a.jsonl", b"")], bundle)
    assert [*map(str, logs([bundle, Path(os.path.relpath(bundle))]))] == [f"{bundle}/a.jsonl"]


PLACES = st.sampled_from([".", "cup", "cup/matches", "cup.jsonl.zst"])


@given(st.lists(st.tuples(PLACES, st.sampled_from(["a.jsonl", "b.jsonl", ""]))), st.slices(8))
def test_a_sequence_of_logs_is_its_paths(parts: list[tuple[str, str]], some: slice) -> None:
    """Logs are a sequence of their different paths, on disk and in bundles, in the same order."""
    bundle = Bundle(Path("cup.jsonl.zst"))
    paths: list[LogPath] = [
        Member(bundle, PurePosixPath(name)) if place == "cup.jsonl.zst" else Path(place) / name
        for place, name in parts
        if name or place == "cup.jsonl.zst"
    ]
    different, found = list(dict.fromkeys(paths)), Logs.of(paths)
    assert [*found] == different
    assert len(found) == len(different)
    assert [found[number] for number in range(len(found))] == different
    assert [*found[-1:]] == different[-1:]
    assert [*found[some]] == different[some]


def test_one_log_of_a_sequence_is_found_without_the_others() -> None:
    """The time to find a log by its number does not grow with the number of logs before it."""
    joined: list[str] = []

    class Folder(PurePosixPath):
        def __truediv__(self, name: object) -> Folder:
            joined.append(str(name))
            return self

    folder: Any = Folder("matches")
    Logs([(folder, ["a", "b"]), (folder, ["c", "d"])])[2]
    assert joined == ["c"]


def test_links_to_folders_are_left_out(tmp_path: Path) -> None:
    """A link to a folder is not searched, so a link to a folder above it does no harm.

    A link to a log is a log.
    """
    [log] = lay(tmp_path, "cup/a.jsonl")
    (tmp_path / "cup" / "up").symlink_to(tmp_path)
    (tmp_path / "cup" / "up.jsonl").symlink_to(tmp_path)
    link = tmp_path / "cup" / "z.jsonl"
    link.symlink_to(log)
    assert [*logs([tmp_path])] == [log, link]


def test_a_folder_with_a_logs_name_is_no_log(tmp_path: Path) -> None:
    """Only files are logs; a folder is searched, even if its name looks like a log."""
    [log] = lay(tmp_path, "spring.jsonl/a.jsonl")
    assert [*logs([tmp_path])] == [log]


def test_a_match_by_its_id_or_number(tmp_path: Path) -> None:
    """A match has a file, an id, and a number with or without zeros; a part of them is no name."""
    names = [f"matches/1-{number:06}.jsonl" for number in (0, 1, 10, 100)]
    zero, one, ten, hundred, _ = lay(tmp_path, *names, "tournament.jsonl")
    for words, log in (
        (("0", "000", "1-000000", "1-000000.jsonl"), zero),
        (("1", "000001", "1-000001"), one),
        (("10", "010"), ten),
        (("100",), hundred),
    ):
        for word in words:
            assert match_log(tmp_path, word) == log
    for word in ("", "2", "-1", "1-1", "1-", "jsonl", "01-000001", "x\x1b"):
        with pytest.raises(UsageError, match="000000 to 1-000100"):
            match_log(tmp_path, word)
    with pytest.raises(UsageError, match=r"tournament\.jsonl: expected a folder or a bundle"):
        match_log(tmp_path / "tournament.jsonl", "1")


def test_a_path_may_end_with_the_number_of_a_match(tmp_path: Path) -> None:
    """It leads to the log of this match, in a folder or a bundle, and never hides a real file."""
    spring, cup = tmp_path / "spring", tmp_path / "cup"
    zero, one, own = lay(spring, "matches/1-000000.jsonl", "matches/1-000001.jsonl", "7")
    _, *stages = lay(
        cup, "contest.jsonl", *(f"stages/000{stage}/matches/1-000001.jsonl" for stage in (1, 2))
    )
    for path, log in {
        "spring/0": zero,
        "spring/1-000001": one,
        "spring/matches/1": one,
        "spring/7": own,
        "cup/2/1": stages[1],
        "cup/0001/1-000001": stages[0],
        "cup/stages/0002/1": stages[1],
    }.items():
        assert resolve(tmp_path / path) == one_log(tmp_path / path) == log
        assert [*logs([tmp_path / path])] == [log]
    bundle = tmp_path / "spring.jsonl.zst"
    write(((f"matches/{log.name}", b"") for log in (zero, one)), bundle)
    assert resolve(bundle / "1") == Bundle(bundle).root / "matches/1-000001.jsonl"
    with pytest.raises(UsageError, match="no log of a match '8' in this folder"):
        resolve(spring / "8")
    (spring / "1").symlink_to("nowhere")
    with pytest.raises(UsageError, match="the link leads to nowhere"):
        resolve(spring / "1")
    with pytest.raises(UsageError, match="expected one match '1', found "):
        resolve(cup / "1")


@pytest.mark.parametrize("path", ["spring/x", "spring/1/x", "spring/-1", "other/1", "empty/1", "1"])
def test_any_other_path_must_exist(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word that is no number, and a number alone or after a folder without logs, is no match."""
    lay(tmp_path, "spring/matches/1-000001.jsonl", "matches/1-000001.jsonl")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="there is no such file or folder"):
        resolve(Path(path))


def test_a_number_after_any_other_folder_starts_no_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a path, as /tmp/17, is refused without a look at all files below the folder."""
    lay(tmp_path, "home/spring/matches/1-000001.jsonl")
    monkeypatch.setattr("schema.discovery.logs_at", None)
    for path in (tmp_path / "home" / "1", Path("/417171717")):
        with pytest.raises(UsageError, match="there is no such file or folder"):
            resolve(path)


def test_one_of_several_logs_is_named(tmp_path: Path) -> None:
    """The path that the message suggests leads to a log in that folder."""
    for name, files in {
        "spring": ["matches/1-000003.jsonl", "tournament.jsonl"],
        "cup": ["contest.jsonl", "stages/0001/matches/1-000000.jsonl"],
        "loose": ["a.jsonl", "b.jsonl"],
    }.items():
        found = lay(tmp_path / name, *files)
        with pytest.raises(UsageError, match="found several") as error:
            one_log(tmp_path / name)
        suggested = str(error.value).partition("such as ")[2].removesuffix(".")
        assert one_log(Path(suggested)) in found


def test_a_match_in_several_stages(tmp_path: Path) -> None:
    """Up to three matches of the same number are listed, without control characters."""
    home = tmp_path / "\x1b"
    lay(home, *(f"stages/000{stage}/matches/1-000001.jsonl" for stage in range(1, 5)))
    with pytest.raises(UsageError, match="expected one match '1', found ") as error:
        match_log(home, "1")
    place = f"{tmp_path}/\\x1b"
    listed = [f"{place}/stages/000{stage}/matches/1-000001.jsonl" for stage in (1, 2, 3)]
    assert str(error.value) == (
        f"{place}: expected one match '1', found {', '.join(listed)}. Name one."
    )
    assert match_log(home, "2/1") == match_log(home, "0002/1-000001")
    assert str(match_log(home, "2/1")) == f"{home}/stages/0002/matches/1-000001.jsonl"
    for word in ("5/1", "2/2", "/1", "stages/1", "0002/", "x/2/1"):
        with pytest.raises(UsageError, match=f"no log of a match '{word}'|expected one match"):
            match_log(home, word)
    lay(home, "matches/\x1b.jsonl")
    with pytest.raises(UsageError, match=r"matches are 1-000001 to \\x1b\.$"):
        match_log(home, "7")


def test_a_match_in_a_bundle_that_is_damaged(tmp_path: Path) -> None:
    """If the match may be in a damaged bundle, the error is about the bundle."""
    lay(tmp_path, "matches/1-000001.jsonl", "old.jsonl.zst")
    assert match_log(tmp_path, "1").name == "1-000001.jsonl"
    with pytest.raises(CorruptLog, match=r"old\.jsonl\.zst"):
        match_log(tmp_path, "2")


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE])
def test_a_bundle_that_cannot_be_read(number: int, tmp_path: Path) -> None:
    """It is listed, so that reading it tells why; without descriptors nothing can be read."""
    bundle = tmp_path / "old.jsonl.zst"
    write([("a.jsonl", b"")], bundle)
    failed = OSError(number, os.strerror(number), str(bundle))
    with patch.object(Bundle, "entries", PropertyMock(side_effect=failed)):
        if number == errno.EIO:
            assert [*map(str, logs([tmp_path]))] == [str(bundle)]
        else:
            with pytest.raises(OSError, match="Too many open files"):
                logs([tmp_path])


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    """A path that does not exist is a usage error, also together with one that does."""
    lay(tmp_path, "a.jsonl")
    with pytest.raises(UsageError, match=r"nowhere: there is no such file or folder"):
        logs([tmp_path, tmp_path / "nowhere"])


def test_the_files_below_a_folder(tmp_path: Path) -> None:
    """They are the same in a folder and in a bundle; a folder that does not exist has none."""
    names = ["evidence/a.jsonl", "evidence/deep/notes.txt", "tournament.jsonl"]
    lay(tmp_path / "spring", *names)
    bundle = tmp_path / "spring.jsonl.zst"
    write(((name, b"") for name in names), bundle)
    for folder in (tmp_path / "spring", Bundle(bundle).root):
        assert [*files_below(folder)] == [(name, folder / name) for name in names]
        below = [(name.removeprefix("evidence/"), folder / name) for name in names[:2]]
        assert [*files_below(folder / "evidence")] == below
        assert [*files_below(folder / "gone")] == []


def test_everything_below_a_folder_without_what_links_lead_to(tmp_path: Path) -> None:
    """Links are listed, and not followed."""
    [log] = lay(tmp_path, "cup/inner/a.jsonl")
    link = tmp_path / "cup" / "inner" / "up"
    link.symlink_to(tmp_path / "cup")
    assert {*everything_below(tmp_path)} == {tmp_path / "cup", log.parent, log, link}
    assert [*everything_below(log)] == []
    with pytest.raises(OSError, match="expected no link, found one"):
        list(files_below(tmp_path))


def test_a_bundle_of_a_tournament_may_have_a_folder_of_bots(tmp_path: Path) -> None:
    """Only in the bundle of a contest it holds no logs."""
    for name, expected in ("tournament", ["bots/a.jsonl", "tournament.jsonl"]), ("contest", None):
        bundle = tmp_path / f"{name}.jsonl.zst"
        write([("bots/a.jsonl", b""), (f"{name}.jsonl", b"")], bundle)
        names = expected or ["contest.jsonl"]
        assert [*map(str, logs([bundle]))] == [f"{bundle}/{log}" for log in names]


def test_folders_without_logs(tmp_path: Path) -> None:
    """A folder with nothing but evidence has no log; a file is no folder, nor is a bundle."""
    lay(tmp_path, "empty/evidence/1-000000.jsonl", "full/a.jsonl")
    write([("notes.txt", b"")], tmp_path / "empty.jsonl.zst")
    paths = [tmp_path / name for name in ("empty", "full", "full/a.jsonl", "empty.jsonl.zst")]
    assert without_logs(paths) == [tmp_path / "empty"]
    with pytest.raises(NothingToDo, match="empty: expected a log"):
        logs(iter([tmp_path / "empty"]))


def test_an_empty_folder_is_nothing_to_do(tmp_path: Path) -> None:
    """A folder without logs is reported."""
    lay(tmp_path, "evidence/1-000000.jsonl", "readme.txt")
    with pytest.raises(NothingToDo, match=rf"{tmp_path}: expected a log .* found none") as caught:
        logs([tmp_path])
    assert caught.value.exit_code == 3
