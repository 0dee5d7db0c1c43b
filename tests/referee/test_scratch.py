"""A bot's own folder: its name, its files, and how long they last (CP-16, CP-18)."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import entry_checks
from referee.errors import RefereeError
from referee.plain import scratch_dir as plain_scratch_dir
from referee.pools import pool
from referee.processes import scratch_dir
from referee.processes.limits import SCRATCH
from referee.processes.scratch_dir import FILES, check_space
from referee.protocols import script as script_protocol
from referee.roster.resolve import resolve
from schema import discovery as layout
from schema.errors import UsageError
from tests.factories import loads
from tests.referee.bot_factory import (
    CARD,
    FIRST,
    LATER,
    UNIQUE,
    bot,
    class_bot,
    hold,
    honest,
    job,
    play,
    script,
)

TRAPS = {
    "a link": 'mv "$d" "$d-old"; ln -s VICTIM "$d"',
    "another folder": 'mv "$d" "$d-old"; mkdir "$d" "$d/deep"',
    "nothing": 'mv "$d" "$d/../old"',
    "more beside it": 'touch "$d/more"; mkdir "$d/../more"; chmod 0 "$d"',
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_instead_of_the_history_removes_nothing_else(trap: str, tmp_path: Path) -> None:
    """Only the bot's own files are removed after a call, and all of them."""
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "history.txt").write_text("mine")
    listing = tmp_path / "listing"
    look = f'd=$(dirname "$f"); ls -A "$d" "$d/.." >> {listing}; act; '
    sly = bot(tmp_path, "sly.sh", FIRST + look + TRAPS[trap].replace("VICTIM", str(victim)))
    play(tmp_path, sly, honest(tmp_path), max_calls=4)
    assert [path.read_text() for path in victim.iterdir()] == ["mine"]
    names = [line for line in listing.read_text().split() if not line.endswith(":")]
    assert names == ["history.txt", "history"] * 2


def test_a_bot_runs_in_a_folder_that_bears_its_name(tmp_path: Path) -> None:
    """A bot runs in a folder with its own name, which holds copies of its files only."""
    body = 'basename "$PWD"; ls; act'
    played = play(tmp_path, bot(tmp_path, "tidy.sh", FIRST + body), honest(tmp_path), max_calls=1)
    assert played.outputs == ["tidy\ntidy.sh\n"]


def test_all_files_of_a_bot_are_there(tmp_path: Path) -> None:
    """A bot with a folder finds all files of that folder, at the same paths."""
    script(tmp_path / "kit" / "data", "book.txt", "opening")
    script(tmp_path / "kit", "main.sh", FIRST + "cat data/book.txt; act")
    toml = '[[bots]]\nname = "reader"\ncommand = "sh main.sh"\nfolder = "kit"'
    [reader] = resolve([str(script(tmp_path, "bots.toml", toml))], CARD)
    assert play(tmp_path, reader, honest(tmp_path), max_calls=1).outputs == ["opening\n"]


def test_two_bots_do_not_share_a_folder(tmp_path: Path) -> None:
    """Two bots do not see each other's files."""
    body = "ls | wc -l; touch $$; act"
    bots = [bot(tmp_path, name, FIRST + body) for name in ("one.sh", "two.sh")]
    played = play(tmp_path, *bots, max_calls=6)
    counted = [int(event["output"]) for event in played.events if event["type"] == "answered"]
    assert counted == [1, 1, 2, 2, 3, 3]


def test_files_last_for_the_match(tmp_path: Path) -> None:
    """A file that a bot makes exists in its next call, but not in its next match (CP-18)."""
    counter = bot(tmp_path, "counter.sh", FIRST + "echo >>calls; wc -l <calls; act")
    hold(tmp_path / "cup", [counter, honest(tmp_path)], max_calls=6)
    for seat, path in enumerate(sorted((tmp_path / "cup" / layout.MATCHES).iterdir())):
        answers = [e for e in loads(path.read_bytes()) if e["type"] == "answered"]
        said = [event["output"].strip() for event in answers if event["seat"] == seat]
        assert said == ["1", "2", "3"]


def test_a_bot_that_changes_itself(tmp_path: Path) -> None:
    """A bot may rewrite its copy for this match; the original and its hash are unchanged."""
    changing = bot(tmp_path, "changing.sh", FIRST + "echo v; echo 'echo w' >>changing.sh; act")
    original, was = (tmp_path / "changing.sh").read_bytes(), changing.hash
    for name in ("one", "two"):
        played = play(tmp_path / name, changing, honest(tmp_path), max_calls=5)
        assert played.outputs == ["v\nw\n", "v\nw\nw\n", "v\nw\nw\nw\n"]
    assert (tmp_path / "changing.sh").read_bytes() == original
    assert changing.hash == was == bot(tmp_path, "changing.sh", original.decode().rstrip()).hash


def test_a_bot_that_deletes_its_folder_crashes(tmp_path: Path) -> None:
    """A bot that removes its folder cannot be started again."""
    vandal = bot(tmp_path, "vandal.sh", FIRST + 'act; rm -r "$PWD"')
    played = play(tmp_path, vandal, honest(tmp_path))
    assert played.fault["kind"] == "crash"
    assert played.evidence[-1]["error"]


def test_a_bot_whose_folder_leads_to_a_full_disk_crashes(tmp_path: Path) -> None:
    """A link in the place of a bot's folder, to a place without space, is the bot's own fault."""
    body = 'act; d=$PWD; mv "$d" "$d-old"; ln -s /proc "$d"'
    played = play(tmp_path, bot(tmp_path, "linker.sh", FIRST + body), honest(tmp_path))
    assert (played.fault["kind"], played.fault["seat"]) == ("crash", 0)


@pytest.mark.parametrize("body", ["act", "exit 1", "mkdir -m 000 locked; touch x; act"])
def test_nothing_is_left_after_a_match(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scratch folders and history files are removed, even if their files resist removal."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    play(tmp_path, bot(tmp_path, "villain.sh", FIRST + body), honest(tmp_path), max_calls=4)
    assert list((tmp_path / "tmp").iterdir()) == []


def test_the_history_has_one_path_in_a_match(tmp_path: Path) -> None:
    """The path of the history is unique to a match and seat, and can key notes (CP-16)."""
    bots = [bot(tmp_path, name, FIRST + 'printf %s "$f"; act') for name in ("one.sh", "two.sh")]
    paths = []
    for name in ("first", "second"):
        played = play(tmp_path / name, *bots, max_calls=6)
        said = [event for event in played.events if event["type"] == "answered"]
        paths += [{event["output"] for event in said if event["seat"] == seat} for seat in (0, 1)]
    assert [len(found) for found in paths] == [1, 1, 1, 1]
    assert len(set[str]().union(*paths)) == 4


@pytest.mark.parametrize("up", [1, 2], ids=["its folder", "the folder around that"])
def test_nothing_is_left_beside_the_history(up: int, tmp_path: Path) -> None:
    """Files that a bot leaves next to the history are removed before its next call."""
    folder = '"$f"'
    for _ in range(up):
        folder = f'"$(dirname {folder})"'
    body = f"act; d={folder}; ls $d; mkdir -p $d/x/y; : >$d/z; chmod 500 $d"
    played = play(tmp_path, bot(tmp_path, "hoarder.sh", FIRST + body), honest(tmp_path))
    expected = "history.txt\n" if up == 1 else "history\n"
    assert {event["output"] for event in played.events if event["type"] == "answered"} == {
        expected,
        "",
    }


def test_a_link_in_the_place_of_the_history_leads_nowhere(tmp_path: Path) -> None:
    """A bot that replaces its folder by a link gets a new folder, and the target is unchanged."""
    (tmp_path / "target").mkdir()
    body = f'act; d=$(dirname "$f"); rm -r "$d"; ln -s "{tmp_path}/target" "$d"'
    played = play(tmp_path, bot(tmp_path, "linker.sh", LATER + body), honest(tmp_path), max_calls=6)
    assert list((tmp_path / "target").iterdir()) == []
    assert played.events[-1]["type"] == "match_sealed"


@pytest.fixture
def small_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a file system of 1 MiB for scratch folders."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=100", "tmpfs", str(disk)]
    try:
        subprocess.run(mount, check=True, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no file system can be mounted here")
    monkeypatch.setattr(tempfile, "tempdir", str(disk))
    try:
        yield disk
    finally:
        pool.close()
        subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("full", [False, True])
def test_no_bot_is_blamed_for_a_full_disk(full: bool, small_disk: Path, tmp_path: Path) -> None:
    """A full file system stops the match without a seal, and no bot has a fault."""
    if full:
        with suppress(OSError):
            (small_disk / "much").write_bytes(bytes(2 << 20))
    with pytest.raises(RefereeError, match=f"{small_disk}.* TMPDIR"):
        play(tmp_path, honest(tmp_path, "one.sh"), honest(tmp_path, "two.sh"))
    kinds = [event["type"] for event in loads((tmp_path / "log.jsonl").read_bytes())]
    assert not {"fault", "match_finished", "match_sealed"} & {*kinds}


def test_a_class_bot_is_not_blamed_for_a_full_disk(small_disk: Path, tmp_path: Path) -> None:
    """A class bot whose files cannot be copied to a full disk has no fault."""
    with suppress(OSError):
        (small_disk / "much").write_bytes(bytes(2 << 20))
    bots = [class_bot(tmp_path, name, select="return 1" + "\n" * 9000) for name in ("One", "Two")]
    with pytest.raises(RefereeError, match="TMPDIR"):
        play(tmp_path, *bots, *bots, card=UNIQUE)


class Disk:
    """A file system whose free space is fixed, whatever is written."""

    f_frsize, f_files, f_flag = 1, 1 << 20, 0

    def __init__(self, free: int, files: int) -> None:
        self.f_bavail, self.f_favail = free, files


@given(st.integers(0, 2 * SCRATCH), st.integers(0, 2 * FILES), st.integers(0, 3))
def test_a_bot_that_filled_the_disk_itself_has_had_its_room(
    free: int, files: int, used: int
) -> None:
    """The space that a bot's folder takes counts as space that the bot was given."""
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        home = Path(place, "koth-scratch", "hoarder")
        home.mkdir(parents=True)
        for number in range(used):
            with (home / str(number)).open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, 1 << 20)
        patch.setattr(os, "statvfs", lambda path: Disk(free, files))
        enough = free + (used << 20) >= SCRATCH and files + used >= FILES
        if enough:
            check_space(home)
        else:
            with pytest.raises(RefereeError, match="hoarder"):
                check_space(home)


def test_a_bot_that_nests_folders_deeply_has_had_its_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders that are too deep for a path count as all the space that their bot was given."""
    home = tmp_path / "koth-scratch" / "hoarder"
    home.mkdir(parents=True)
    above = [os.open(home, os.O_RDONLY)]
    for _ in range(40):
        above.append(scratch_dir.make("n" * 200, above[-1]))
    for descriptor in above:
        os.close(descriptor)
    monkeypatch.setattr(os, "statvfs", lambda path: Disk(0, 0))
    check_space(home)
    scratch_dir.remove(home)


def test_folders_beyond_the_depth_of_recursion_are_removed(tmp_path: Path) -> None:
    """A bot can nest folders more deeply than Python removes them; nothing of it is left."""
    home = tmp_path / "home"
    for emptied in (False, True):
        home.mkdir()
        with scratch_dir.opened(home) as descriptor:
            inner = os.dup(descriptor)
            for _ in range(sys.getrecursionlimit() + 500):
                above, inner = inner, scratch_dir.make("d", inner)
                os.close(above)
            os.close(inner)
            try:
                if emptied:
                    scratch_dir.empty(descriptor)
                    assert not [*home.iterdir()]
                scratch_dir.remove(home)
                assert not home.exists()
            finally:  # pytest cannot remove it
                subprocess.run(["rm", "-rf", home], check=True)


KILLED = """
import sys, time
from referee.processes import scratch_dir
with scratch_dir.folder() as path:
    (path / "file").write_text("x")
    print(path, flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("call", ["mkdir", "open", "rename"])
def test_a_folder_is_removed_if_its_preparation_is_interrupted(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupt that comes just after a call of the system leaves no scratch folder behind."""
    real = getattr(os, call)

    def interrupted(*arguments: Any, **options: Any) -> None:
        real(*arguments, **options)
        raise KeyboardInterrupt

    where = tmp_path / "where"
    where.mkdir()
    monkeypatch.setattr(scratch_dir, "parent", lambda: str(where))
    monkeypatch.setattr(os, call, interrupted)
    with pytest.raises(KeyboardInterrupt), scratch_dir.folder():
        pass
    monkeypatch.undo()
    assert not [*where.iterdir()]


@pytest.mark.parametrize(
    ("call", "number"), [("open", errno.EMFILE), ("rename", errno.ENOSPC)], ids=["open", "rename"]
)
def test_a_folder_that_cannot_be_prepared_is_removed(
    call: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no more files can be opened, or the disk is full, no scratch folder is left behind."""

    def refused(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    where = tmp_path / "where"
    where.mkdir()
    monkeypatch.setattr(scratch_dir, "parent", lambda: str(where))
    monkeypatch.setattr(os, call, refused)
    with pytest.raises(RefereeError, match=os.strerror(number)), scratch_dir.folder():
        pass
    monkeypatch.undo()
    assert not [*where.iterdir()]


@pytest.mark.parametrize("of_system", [scratch_dir, plain_scratch_dir])
def test_no_bot_is_blamed_if_there_is_no_folder_for_temporary_files(
    of_system: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no folder for temporary files can be written to, the check of the entries says that."""

    def refused() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "gettempdir", refused)
    monkeypatch.setattr(script_protocol, "open_workspace", lambda *_: of_system.folder())
    bots = [honest(tmp_path, name) for name in ("one.sh", "two.sh")]
    with pytest.raises(RefereeError, match=r"^no bot can be started: No usable temp.* TMPDIR\.$"):
        entry_checks.check_match(job(tmp_path, bots), allow_broken=True)


@pytest.mark.parametrize("of_system", [scratch_dir, plain_scratch_dir])
def test_a_file_system_without_locks_keeps_no_folder(
    of_system: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a folder that is kept cannot be locked, the error names it, and no other one is made."""
    monkeypatch.setattr(fcntl, "flock", without_locks)
    kept = of_system.kept(tmp_path / "last")
    with pytest.raises(UsageError, match=r"last: .*No locks available\. .* with -o"), kept:
        pass
    assert [path for path in tmp_path.glob("last*") if path.is_dir()] == [tmp_path / "last"]


def test_a_scratch_folder_needs_no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots also play where no file can be locked."""
    monkeypatch.setattr(fcntl, "flock", without_locks)
    with scratch_dir.folder() as path:
        assert path.is_dir()
    assert not path.exists()


def without_locks(*_: object) -> None:
    """Refuse a lock, as some network file systems do."""
    raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))


def test_what_a_killed_process_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scratch folders of a killed process are removed, and those of a live process are kept."""
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    owners = [
        subprocess.Popen([sys.executable, "-c", KILLED], env=environment, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    folders = []
    for owner in owners:
        assert owner.stdout is not None
        folders.append(Path(owner.stdout.readline().decode().strip()))
    others = tmp_path / "koth-others"
    others.mkdir()
    try:
        owners[0].kill()
        owners[0].wait()
        with scratch_dir.folder() as own:
            assert sorted(tmp_path.glob("koth-*")) == sorted([folders[1], own, others])
    finally:
        for owner in owners:
            owner.kill()
            owner.communicate()
