"""Archives: lossless, one byte layout for the same tournaments, and refusals."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from audit.archive import ArchiveError, pack, unpack
from audit.errors import AuditError
from audit.loading.vouched import PARQUET
from audit.query import query
from audit.tables import open_database
from replay.verify import verify_all
from schema.bundle import Bundle, extract, write
from schema.discovery import logs
from schema.errors import CorruptLog, NothingToDo, UsageError
from schema.files import replacing
from tests.audit.archives import each_game, other, played, tree
from tests.golden.make import HERE
from tests.schema.test_writer_and_reader import full_disk

# --- packing and unpacking -----------------------------------------------------------------------


@each_game
def test_every_byte_comes_back(game: str, packed: Callable[[str], Path], tmp_path: Path) -> None:
    """A tournament of each game, packed and unpacked, is the same tournament."""
    assert unpack(packed(game) / "archive", tmp_path / "back") == ["spring"]
    assert tree(tmp_path / "back" / "spring") == tree(packed(game) / "spring")


def test_the_seed_stays_and_so_does_what_is_no_part(tmp_path: Path) -> None:
    """The private seed and other files beside a tournament do not go into an archive."""
    spring = played(tmp_path / "spring")
    expected = tree(spring)
    for name in ("seed.private", "matches/seed.private", "notes.txt", "bots/mine.py"):
        (spring / name).parent.mkdir(exist_ok=True)
        (spring / name).write_text("secret")
    pack([spring], tmp_path / "archive")
    unpack(tmp_path / "archive", tmp_path / "back")
    assert tree(tmp_path / "back" / "spring") == expected


def test_order_and_number_of_steps_do_not_matter(packed_games: Path, tmp_path: Path) -> None:
    """Tournaments packed in any order, at once or one after the other, are the same archive."""
    one, two = packed_games / "a", packed_games / "b"
    three = Path(shutil.copytree(two, tmp_path / "c"))
    pack([three, two, one, two], tmp_path / "turned")
    for path in (two, three, one):
        done = pack([path], tmp_path / "steps")
        assert [packed.bundle.name for packed in done if packed.new] == [path.name]
    expected = tree(tmp_path / "turned")
    assert tree(tmp_path / "steps") == expected
    assert tree(packed_games / "archive").items() <= expected.items()


@pytest.mark.usefixtures("_packed")
def test_packing_again_changes_nothing(tmp_path: Path) -> None:
    """A bundle that exists already is not written again."""
    spring = tmp_path / "spring"
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "archive").rglob("*")}
    [done] = pack([spring], tmp_path / "archive")
    assert not done.new
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "archive").rglob("*")} == before


@pytest.mark.parametrize("lost", [PARQUET, f"{PARQUET}/logs", None])
@pytest.mark.usefixtures("_packed")
def test_tables_are_made_again_from_the_bundles(
    lost: str | None, packed_other: Path, tmp_path: Path
) -> None:
    """Tables that are not there, or are those of another bundle, are made again, byte by byte."""
    expected = tree(tmp_path / "archive")
    if lost:
        (tmp_path / "archive" / lost).rename(tmp_path / "lost")
    else:
        (tmp_path / "archive" / PARQUET).rename(tmp_path / "lost")
        shutil.copytree(packed_other / "archive" / PARQUET, tmp_path / "archive" / PARQUET)
    assert tree(tmp_path / "archive") != expected
    pack([], tmp_path / "archive")
    assert tree(tmp_path / "archive") == expected


def test_one_bundle_can_be_unpacked(packed_games: Path, tmp_path: Path) -> None:
    """A bundle named by itself is unpacked without the others, into a folder below a new one."""
    back = tmp_path / "new" / "back"
    assert unpack(packed_games / "archive" / "b.jsonl.zst", back) == ["b"]
    assert tree(back) == {
        f"b/{name}": content for name, content in tree(packed_games / "b").items()
    }


# --- refusals ------------------------------------------------------------------------------------


def refused(tmp_path: Path, error: type[Exception], words: str, *folders: Path) -> None:
    """Packing these folders is refused, and nothing in ``tmp_path`` is changed by it."""
    before = tree(tmp_path)
    with pytest.raises(error, match=words):
        pack(folders, tmp_path / "archive")
    assert tree(tmp_path) == before
    assert not list(tmp_path.rglob("*.tmp"))


def test_an_unsealed_tournament_is_refused(tmp_path: Path) -> None:
    """A tournament whose log has no seal is named, and those beside it are not packed either."""
    one, two = played(tmp_path / "one"), played(tmp_path / "two")
    log = two / "tournament.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    refused(tmp_path, ArchiveError, "^two: this tournament is not .*koth resume", one, two)
    assert ArchiveError.exit_code == 1


def test_a_corrupt_tournament_is_refused(tmp_path: Path) -> None:
    """A tournament whose log was changed is a finding."""
    spring = played(tmp_path / "spring")
    log = spring / "tournament.jsonl"
    log.write_bytes(log.read_bytes().replace(b"Anna", b"Anne"))
    refused(tmp_path, CorruptLog, "changed after it was sealed", spring)


def test_what_is_no_tournament_is_refused(tmp_path: Path) -> None:
    """A folder without a tournament's log or with a line feed in its name, or none, is refused."""
    (tmp_path / "empty").mkdir()
    refused(tmp_path, UsageError, "expected a tournament's folder .* none", tmp_path / "empty")
    refused(tmp_path, UsageError, "gone: there is no such folder", tmp_path / "gone")
    refused(tmp_path, UsageError, r"a\\nb': expected a printable name", tmp_path / "a\nb")
    refused(tmp_path, NothingToDo, "expected tournaments to pack")


def test_an_archive_has_a_path_in_utf8(tmp_path: Path) -> None:
    """DuckDB writes into no other folder; the refusal comes before the archive is made."""
    spring, archive = played(tmp_path / "spring"), tmp_path / os.fsdecode(b"\xff")
    with pytest.raises(UsageError, match=r"\\udcff: expected a path in UTF-8 for the archive"):
        pack([spring], archive)
    assert not archive.exists()


@pytest.mark.usefixtures("_packed")
def test_an_archive_is_not_packed_again(tmp_path: Path) -> None:
    """An archive, or a bundle of one, is no tournament."""
    (tmp_path / "archive").rename(tmp_path / "other")
    for path in (tmp_path / "other", tmp_path / "other" / "spring.jsonl.zst"):
        refused(tmp_path, UsageError, "found an archive, which is already packed", path)


def test_two_tournaments_of_one_name_are_refused(tmp_path: Path) -> None:
    """Two folders of one name are not packed, and a folder that differs from its bundle is not."""
    one, two = played(tmp_path / "one" / "spring"), played(tmp_path / "two" / "spring", "coup")
    refused(tmp_path, UsageError, "have the same name", one, two)
    pack([one], tmp_path / "archive")
    refused(tmp_path, UsageError, "found another one called spring", two)
    (one / "checkpoint").write_text("changed")
    refused(tmp_path, UsageError, "found another one called spring", one)


def test_an_attempt_that_was_killed_does_not_matter(tmp_path: Path) -> None:
    """Half-written files of an earlier attempt do not prevent packing."""
    spring = played(tmp_path / "spring")
    (tmp_path / "archive").mkdir()
    half = tmp_path / "archive" / ".koth-0123456789abcdef.tmp"
    half.write_bytes(b"half")
    pack([spring], tmp_path / "archive")
    assert list((tmp_path / "archive").glob(".*")) == [half]


def test_deep_folders_are_refused(tmp_path: Path) -> None:
    """A tournament that could not be unpacked is not packed."""
    spring = played(tmp_path / "spring")
    deep = spring / "evidence" / Path(*"d" * 100)
    deep.mkdir(parents=True)
    (deep / "notes.jsonl").touch()
    with pytest.raises(UsageError, match=r"notes\.jsonl: expected a file in up to 100 folders"):
        pack([spring], tmp_path / "archive")
    assert not (tmp_path / "archive").exists()


def test_links_are_refused(tmp_path: Path) -> None:
    """A symbolic link in a tournament's folder is refused, not packed."""
    spring = played(tmp_path / "spring")
    (spring / "matches" / "link.jsonl").symlink_to(spring / "checkpoint")
    refused(tmp_path, UsageError, r"link.jsonl: expected a file or a folder", spring)


def test_an_archive_goes_into_a_folder_of_its_own(tmp_path: Path) -> None:
    """A file, a folder of other things, or the tournament itself cannot be the archive."""
    spring = played(tmp_path / "spring")
    (tmp_path / "file").write_text("")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("")
    for name, words in [
        ("file", "found a file"),
        ("other", "found other files"),
        ("spring", "expected a path outside of the tournament"),
        ("spring/archive", "expected a path outside of the tournament"),
    ]:
        with pytest.raises(UsageError, match=words):
            pack([spring], tmp_path / name)


def test_unpacking_writes_over_nothing(packed_games: Path, tmp_path: Path) -> None:
    """When one of the folders is there, nothing is unpacked; other things may be there."""
    archive, taken = packed_games / "archive", tmp_path / "back" / "b"
    taken.parent.mkdir()
    for make in (partial(taken.symlink_to, "nowhere"), taken.mkdir):
        taken.unlink(missing_ok=True)
        make()
        with pytest.raises(UsageError, match="b: this path already exists"):
            unpack(archive, tmp_path / "back")
        assert [*(tmp_path / "back").iterdir()] == [taken]
    taken.rename(tmp_path / "back" / "c")
    unpack(archive, tmp_path / "back")
    assert sorted(path.name for path in (tmp_path / "back").iterdir()) == ["a", "b", "c"]
    (tmp_path / "file").write_text("kept")
    with pytest.raises(UsageError, match="expected a folder, found a file"):
        unpack(archive, tmp_path / "file")
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.usefixtures("_packed")
def test_a_bundle_that_does_not_fit_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small bundle of huge files cannot fill the disk: the sizes in its index are added up."""
    free = SimpleNamespace(free=100)
    monkeypatch.setattr("audit.archive.shutil.disk_usage", lambda folder: free)
    with pytest.raises(UsageError, match=r"expected room for [0-9]+ bytes, found 100"):
        unpack(tmp_path / "archive", tmp_path / "back")
    assert not (tmp_path / "back").exists()


@pytest.mark.usefixtures("_packed")
def test_files_are_unpacked_where_they_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Temporary files are in a folder that exists, whose file system may be another than above."""
    (tmp_path / "back").mkdir()
    inside: list[list[str]] = []

    def extract_and_look(bundle: Bundle, folder: Path) -> None:
        extract(bundle, folder)
        inside.append([path.name[:6] for path in (tmp_path / "back").iterdir()])

    monkeypatch.setattr("audit.archive.extract", extract_and_look)
    unpack(tmp_path / "archive", tmp_path / "back")
    assert inside == [[".koth-"]]


@pytest.mark.usefixtures("_packed")
@pytest.mark.parametrize("place", ["new", "old", "."])
def test_a_full_disk_is_named_by_the_folder_to_unpack_into(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the folder that was typed, not a temporary one, and nothing is left there."""
    (tmp_path / "old").mkdir()
    monkeypatch.chdir(tmp_path / "old")
    target = Path(place if place == "." else f"../{place}")
    for number in errno.ENOSPC, errno.EIO:
        failed = OSError(number, os.strerror(number))
        for call in "mkdir", "rename":
            with (
                patch.object(Path, call, failing(getattr(Path, call), failed)),
                pytest.raises(OSError, match=os.strerror(number)) as told,
            ):
                unpack(tmp_path / "archive", target)
            assert told.value.filename == str(target)
    with full_disk(100), pytest.raises(OSError, match="too large") as told:
        unpack(tmp_path / "archive", target)
    assert told.value.filename == str(target)
    assert not any(path.is_file() for path in (tmp_path / "new").rglob("*"))
    assert not list((tmp_path / "old").iterdir())


def test_a_table_that_cannot_be_written_is_named(packed_games: Path, tmp_path: Path) -> None:
    """The message begins with the path of the table, not with that of a temporary file."""

    @contextmanager
    def replacing_no_faults(path: Path) -> Iterator[Path]:
        with replacing(path) as temporary:
            yield temporary / "in a file" if "faults" in path.parts else temporary

    message = rf"^{tmp_path}/archive/{PARQUET}/faults/[^.]*\.parquet: this table cannot be written"
    with (
        patch("audit.archive.replacing", replacing_no_faults),
        pytest.raises(AuditError, match=message),
    ):
        pack([packed_games / "a"], tmp_path / "archive")


def failing(call: Callable[..., object], error: OSError) -> Callable[..., object]:
    """Return a method of a path that raises ``error`` in a bundle's temporary folder."""

    def fail(path: Path, *arguments: Any, **options: Any) -> object:
        if path.parent.name.startswith(".koth-"):
            raise OSError(error.errno, error.strerror, str(path))
        return call(path, *arguments, **options)

    return fail


def test_a_folder_that_is_called_like_the_list_is_unpacked(tmp_path: Path) -> None:
    """Only a file ``parquet.json``, which ``koth pack`` adds, is left out."""
    write([("parquet.json/log.jsonl", b"{}\n")], tmp_path / "odd.jsonl.zst")
    unpack(tmp_path / "odd.jsonl.zst", tmp_path / "back")
    assert tree(tmp_path / "back") == {"odd/parquet.json/log.jsonl": b"{}\n"}


def test_nothing_to_unpack(tmp_path: Path) -> None:
    """A folder without bundles holds nothing to unpack; no bundle, or nothing, is wrong usage."""
    with pytest.raises(NothingToDo, match="expected bundles"):
        unpack(tmp_path, tmp_path / "back")
    with pytest.raises(UsageError, match="no such file or folder"):
        unpack(tmp_path / "gone", tmp_path / "back")
    with pytest.raises(UsageError, match="found a file of another name"):
        unpack(HERE / "coup-1/forfeit_by_timeout.jsonl", tmp_path / "back")


def test_a_changed_byte_is_named_by_all(packed_games: Path, tmp_path: Path) -> None:
    """Wherever a bundle is damaged: verify, the tables, pack and unpack name it and do no more."""
    shutil.copytree(packed_games, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "archive" / "b.jsonl.zst"
    data = path.read_bytes()
    for at in range(0, len(data), len(data) // 8):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        verdicts = {one.path: one.verdict for one in verify_all(logs([tmp_path / "archive"]))}
        assert verdicts.pop(str(path)) == "corrupt"
        assert set(verdicts.values()) == {"verified"}
        with pytest.raises(CorruptLog, match=f"^{path}: the bundle is damaged"):
            unpack(tmp_path / "archive", tmp_path / "back")
        for one in (tmp_path / "b", other(tmp_path / "summer")):
            with pytest.raises(CorruptLog, match=f"^{path}: the bundle is damaged"):
                pack([one], tmp_path / "archive")
    assert not (tmp_path / "archive" / "summer.jsonl.zst").exists()
    with open_database([tmp_path / "archive"]) as database:
        assert query(database, "SELECT path, verdict FROM unread").rows == [(str(path), "corrupt")]
        assert database.games == ("coup",)
    assert not (tmp_path / "back").exists()
    assert not list(tmp_path.glob(".*"))
