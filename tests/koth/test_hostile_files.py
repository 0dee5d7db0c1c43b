"""Files that have no end, or that cannot be read: commands name them, and read the others."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.contest.folder import opened
from schema import bundle
from schema.discovery import tournament_files
from tests import contests
from tests.failures import lack_descriptor
from tests.koth.commands import Koth
from tests.sampling import sampled

CORPUS = Path(__file__).parents[1] / "corpus"
MATCH, OWN, NOTES = "matches/1-000001.jsonl", "tournament.jsonl", "evidence/1-000001.jsonl"
BUNDLE = f"spring{bundle.SUFFIX}"
TOO_LONG = "expected lines of up to 8388608 bytes, found a longer one"


def pipe(path: Path) -> None:
    """Make a pipe that nobody writes into."""
    os.mkfifo(path)


def device(path: Path) -> None:
    """Link to a device that gives bytes for ever."""
    path.symlink_to("/dev/zero")


def hole(path: Path) -> None:
    """Make a file of a terabyte that takes no room."""
    path.touch()
    os.truncate(path, 1 << 40)


def failing(path: Path) -> None:
    """Link to a file that cannot be read at its beginning, as on a disk that fails."""
    path.symlink_to("/proc/self/mem")


KINDS = (pipe, device, hole, failing)


def tournament(folder: Path, place: str, make: Callable[[Path], None]) -> Path:
    """A tournament of three matches in which one file is replaced."""
    home = folder / "spring"
    shutil.copytree(CORPUS / "honest_tournament_of_coins", home)
    (home / place).parent.mkdir(exist_ok=True)
    (home / place).unlink(missing_ok=True)
    make(home / place)
    return home


@pytest.mark.parametrize("make", sampled({make.__name__: make for make in KINDS}, ["pipe", "hole"]))
@pytest.mark.parametrize("place", [MATCH, OWN, NOTES])
def test_the_other_logs_are_read(
    place: str, make: Callable[[Path], None], koth: Koth, tmp_path: Path
) -> None:
    """Tables, faults and verdicts hold what the other files say; nothing waits or fills memory."""
    home = tournament(tmp_path, place, make)
    logs = 4 if place == NOTES else 3
    counts = "SELECT (SELECT count(*) FROM logs), (SELECT count(*) >= 0 FROM evidence)"
    counted = koth("sql", home, counts, "--format", "csv")
    assert (counted.code, counted.out.split()[-1]) == (0, f"{logs},true")
    assert koth("faults", home).out == "no faults\n"
    assert koth("verify", home).out.count("verified  ") >= 2


@pytest.mark.parametrize(
    "kinds",
    sampled(
        {"hole, mkdir, pipe": ((hole, Path.mkdir, pipe),), "device, failing": ((device, failing),)},
        ["hole, mkdir, pipe"],
    ),
)
def test_a_site_leaves_out_evidence_that_cannot_be_read(
    kinds: Sequence[Callable[[Path], None]], koth: Koth, tmp_path: Path, one_rule: None
) -> None:
    """A site has all pages, and the evidence of no other file than a regular one."""
    home, site = tournament(tmp_path, NOTES, Path.touch), tmp_path / "site"
    (home / NOTES).unlink()
    for match, make in zip(sorted((home / "matches").iterdir()), kinds, strict=False):
        make(home / "evidence" / match.name)
    assert koth("site", home, "-o", site, "--no-browser-tools").code == 0
    assert len([*(site / "logs/matches").iterdir()]) == 3
    assert not (site / "logs/evidence").exists()


def test_a_log_with_a_hole_is_named(koth: Koth, tmp_path: Path, one_rule: None) -> None:
    """By each command that reads it, and by the audit as a file that was not read."""
    home = tournament(tmp_path, MATCH, hole)
    assert TOO_LONG in koth.complaint("explain", home / MATCH, code=1)
    assert TOO_LONG in koth.complaint("pack", home, "-o", tmp_path / "archive", code=1)
    assert TOO_LONG in koth("faults", home).err
    assert TOO_LONG in koth("audit", home).out


def test_a_tournament_with_a_hole_is_not_resumed(koth: Koth, tmp_path: Path) -> None:
    """The referee's own reader has the same limit, before it writes anything."""
    home = tournament(tmp_path, OWN, hole)
    assert TOO_LONG in koth.complaint("resume", home, code=1)


def test_pack_follows_no_link_out_of_the_tournament(koth: Koth, tmp_path: Path) -> None:
    """A folder that was sent cannot have other files of its reader packed as its evidence."""
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "id").write_text("secret\n")
    for name in ("evidence", "matches"):
        home = tournament(tmp_path, MATCH, Path.touch)
        shutil.rmtree(home / name, ignore_errors=True)
        (home / name).symlink_to(tmp_path / "private")
        told = koth.complaint("pack", home, "-o", tmp_path / "archive")
        assert f"{home / name}: expected a file or a folder, found a symbolic link." in told
        shutil.rmtree(home)


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed contest of one stage."""
    folder = tmp_path_factory.mktemp("closed")

    def hold() -> None:
        cup = contests.new(folder / "cup")
        contests.enter(cup, [contests.bot(folder / "bots", name) for name in ("anna", "bert")])
        contests.run(cup)
        with opened(cup) as held:
            held.close()

    contests.simulated(hold)
    return folder / "cup"


@pytest.mark.parametrize("place", ["bots/anna", "stages/0001/matches", "checkpoints", ""])
@pytest.mark.parametrize("target", ["/etc/hostname", "/etc", "contest.jsonl", "nowhere"])
def test_pack_follows_no_link_in_a_contest(
    place: str, target: str, closed: Path, koth: Koth, tmp_path: Path
) -> None:
    """A link among the files of a contest is refused by name: it is not followed, nor left out."""
    cup = Path(shutil.copytree(closed, tmp_path / "cup"))
    link = cup / place / "checkpoint"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(target)
    told = koth.complaint("pack", cup, "-o", tmp_path / "archive")
    assert told == f"{link}: expected a file or a folder, found a symbolic link."
    assert not (tmp_path / "archive").exists()


@pytest.mark.parametrize("place", ["bots/anna", "stages/0001/evidence", "checkpoints"])
@pytest.mark.parametrize("name", [b"a\nb", b"\x1b[31m", b"\xff\xfe", "\u202e".encode()])
def test_pack_refuses_names_that_cannot_be_printed(
    place: str, name: bytes, closed: Path, koth: Koth, tmp_path: Path
) -> None:
    """A file whose name is not printable is named, with escapes, and not left out."""
    cup = Path(shutil.copytree(closed, tmp_path / "cup"))
    file = cup / place / os.fsdecode(name)
    file.parent.mkdir(exist_ok=True)
    file.touch()
    told = koth.complaint("pack", cup, "-o", tmp_path / "archive")
    assert told == f"{str(file)!r}: expected a printable name. Rename it."
    assert not (tmp_path / "archive").exists()


def close_to_user(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the right to look into ``folder`` from this process; root passes every real barrier."""
    access, scandir = os.access, os.scandir

    def refused(path: Any) -> Any:
        if path == folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "access", lambda path, mode: path != folder and access(path, mode))
    monkeypatch.setattr(os, "scandir", refused)


def test_a_folder_that_cannot_be_read_is_named(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command passes over matches in a folder without permission; `pack` refuses them."""
    home = tournament(tmp_path, NOTES, Path.touch)
    matches = home / "matches"
    close_to_user(matches, monkeypatch)
    for command, text in ("verify", f"{matches}: cannot be read"), ("audit", "1 file not read"):
        typed = koth(command, home)
        assert (typed.code, text in typed.out) == (1, True), typed
    assert f"koth: not read: {matches}: " in koth("faults", home).err
    assert koth.complaint("explain", home, "1", code=4).startswith(f"{matches}: ")
    told = koth.complaint("pack", home, "-o", tmp_path / "archive", code=4)
    assert told == f"{matches}: Permission denied."
    assert not any((tmp_path / "archive").glob("*"))


@pytest.mark.parametrize(
    ("inside", "note"),
    [("stages/0001/matches", "matches were not looked at"), ("stages", "1 stage not looked at")],
)
def test_nobody_is_accused_for_a_folder_without_permission(
    inside: str, note: str, closed: Path, koth: Koth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs that cannot be read are not called missing, only not looked at."""
    close_to_user(closed / inside, monkeypatch)
    told = koth("verify", closed)
    assert (told.code, "forged" in told.out, told.out.count("corrupt ")) == (1, False, 1)
    assert f"corrupt  {closed / inside}: cannot be read: Permission denied\n" in told.out
    assert note in told.out


def signed(folder: Path, koth: Koth) -> Path:
    """A signed tournament with its evidence, and the public key beside it."""
    home = tournament(folder, NOTES, Path.touch)
    assert koth("keygen", "spring.example/2026", "-o", folder / "key").code == 0
    assert koth("sign", home, "--key", folder / "key").code == 0
    return home


@pytest.mark.parametrize("linked", [NOTES, "evidence"])
def test_no_linked_file_is_handed_over(linked: str, koth: Koth, tmp_path: Path) -> None:
    """Evidence that leads to a file elsewhere is refused, so that it reaches no contestant."""
    home = signed(tmp_path, koth)
    (home / linked).rename(tmp_path / "elsewhere")
    (home / linked).symlink_to(tmp_path / "elsewhere")
    words = ("prove", home, "1-000001", "--key", tmp_path / "key.pub", "-o", tmp_path / "handed")
    assert f"{home / linked}: expected no link, found one" in koth.complaint(*words, code=4)
    assert not (tmp_path / "handed").exists()


@pytest.mark.parametrize("linked", ["parquet", "parquet/logs", "parquet/logs/game=coins"])
def test_tables_are_written_through_no_link(linked: str, koth: Koth, tmp_path: Path) -> None:
    """An archive that was sent cannot have its tables written to another folder."""
    home = tournament(tmp_path, NOTES, Path.touch)
    archive, outside = tmp_path / "archive", tmp_path / "outside"
    outside.mkdir()
    (archive / linked).parent.mkdir(parents=True)
    (archive / linked).symlink_to(outside)
    bundle.write(
        [(name, path.read_bytes()) for name, path in tournament_files(home)], archive / BUNDLE
    )
    told = koth.complaint("pack", home, "-o", archive, code=4)
    assert f"{archive / linked}: expected no link, found one" in told
    assert [*outside.iterdir()] == []


@pytest.mark.parametrize("linked", ["matches", "evidence"])
def test_a_tournament_with_linked_folders_is_not_resumed(
    linked: str, koth: Koth, tmp_path: Path
) -> None:
    """A folder that was sent cannot have its matches written to another folder."""
    home = tournament(tmp_path, NOTES, Path.touch)
    own = home / OWN
    own.write_bytes(b"".join(own.read_bytes().splitlines(keepends=True)[:1]))
    (home / linked).rename(tmp_path / "outside")
    (home / linked).symlink_to(tmp_path / "outside")
    before = [path.read_bytes() for path in (tmp_path / "outside").iterdir()]
    told = koth.complaint("resume", home, code=4)
    assert f"{home / linked}: expected no link, found one" in told
    assert [path.read_bytes() for path in (tmp_path / "outside").iterdir()] == before


@pytest.mark.parametrize("place", [MATCH, OWN])
@pytest.mark.parametrize("command", ["verify", "audit", "sql", "leaderboard", "report", "site"])
def test_a_lack_of_descriptors_is_no_finding(
    command: str, place: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that no descriptor is left for is an error, which names it; it gets no verdict."""
    home = tournament(tmp_path, NOTES, Path.touch)
    target = ["-o", tmp_path / "new"] if command in ("report", "site") else []
    target += ["--no-browser-tools"] if command == "site" else []
    lack_descriptor(home / place, monkeypatch)
    told = koth.complaint(command, home, *target, code=4)
    assert told == f"{home / place}: Too many open files."
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.ENOMEM])
@pytest.mark.parametrize("command", ["verify", "audit", "sql", "leaderboard", "faults"])
def test_a_folder_that_the_system_does_not_open(
    command: str, number: int, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command passes over matches because the disk fails or no file can be opened."""
    home = tournament(tmp_path, NOTES, Path.touch)
    matches, scandir = home / "matches", os.scandir

    def refused(path: Any) -> Any:
        if path == matches:
            raise OSError(number, os.strerror(number), str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    assert koth.complaint(command, home, code=4) == f"{matches}: {os.strerror(number)}."


def test_a_message_has_one_line_whatever_the_folder_is_called(koth: Koth, tmp_path: Path) -> None:
    """A folder whose name has a newline adds no line of its own to the messages of a command."""
    cup = tmp_path / "cup\nkoth: forged"
    for words in (["new", cup, "coup"], ["close", cup]):
        typed = koth("contest", *words)
        assert typed.code == 0
        assert typed.err.count("\n") == 1
        assert r"cup\nkoth: forged" in typed.err
