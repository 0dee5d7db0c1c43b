"""``koth import``: a new folder of logs that are fine, or one clear sentence and nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from schema.discovery import files_below
from tests.audit.imported_logs import DATA, EXCERPT, TRANSCRIPT
from tests.koth.commands import Koth


def test_a_transcript_is_verified_audited_and_asked(koth: Koth, tmp_path: Path) -> None:
    """An imported transcript gets the verdict *imported*, breaks no rule, and answers SQL."""
    folder = tmp_path / "old"
    typed = koth("import", "bank-heist-transcript", TRANSCRIPT, "-o", folder)
    told = f"koth: imported into {folder}: 3 games of 4 players.\n"
    assert (typed.code, typed.out, typed.err) == (0, "", told)
    verified = koth("verify", folder)
    assert (verified.code, verified.out.splitlines()[-1]) == (0, "2 logs: 2 imported")
    assert koth("audit", folder).code == 0
    query = "SELECT count(*) AS n FROM answers"
    assert koth("sql", folder, query, "--format", "json").json["rows"] == [{"n": 21}]


def test_an_excerpt_that_breaks_off_is_noted(koth: Koth, tmp_path: Path) -> None:
    """A last game without its table is imported, and a note names it."""
    cut = tmp_path / "cut.txt"
    cut.write_text(EXCERPT.read_text().rpartition("Results:")[0])
    typed = koth("import", "bank-heist-transcript", cut, "-o", tmp_path / "new")
    assert typed.code == 0
    assert f"koth: {cut} breaks off within game 4;" in typed.err


@pytest.mark.parametrize(("game", "noted"), [("coins", True), ("smallest-unique", False)])
def test_a_default_number_of_games_is_noted(
    game: str, noted: bool, koth: Koth, tmp_path: Path
) -> None:
    """A note says that the number of games follows from the default settings, if it does."""
    typed = koth("import", "results", DATA / f"{game}-results.txt", "-o", tmp_path / "old")
    assert typed.code == 0
    assert ("; 100 follow from the default settings." in typed.err) == noted


@pytest.mark.parametrize(
    ("format", "file", "files"),
    [
        ("results", DATA / "coup-results.txt", "1 file"),
        ("bank-heist-transcript", TRANSCRIPT, "2 files"),
    ],
)
def test_an_imported_tournament_is_signed(
    format: str, file: Path, files: str, koth: Koth, tmp_path: Path
) -> None:
    """A tournament without seeds, and without matches, is signed and verified."""
    folder, key = tmp_path / "old", tmp_path / "key"
    koth("import", format, file, "-o", folder)
    koth("keygen", "example.com/old", "-o", key)
    assert koth("sign", folder, "--key", key).code == 0
    verified = koth("verify", folder, "--key", f"{key}.pub", "--origin", "example.com/old")
    assert verified.code == 0
    assert f"; {files} signed by example.com/old" in verified.out


def test_an_imported_log_cannot_be_re_run(koth: Koth, tmp_path: Path) -> None:
    """Replaying it is refused with a clear sentence."""
    koth("import", "bank-heist-transcript", TRANSCRIPT, "-o", tmp_path / "old")
    log = tmp_path / "old" / "matches" / "1-000000.jsonl"
    assert "imported" in koth.complaint("replay", log, code=1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
@pytest.mark.parametrize(
    ("format", "name", "content"),
    [
        ("results", "results.txt", (DATA / "coup-results.txt").read_bytes()),
        ("bank-heist-transcript", "games.txt", TRANSCRIPT.read_bytes()),
        ("coup-history", "Anna_Ben_1_0.txt", b"Fp\nSa"),
    ],
)
def test_a_pipe_is_imported_like_a_file(
    format: str, name: str, content: bytes, koth: Koth, tmp_path: Path
) -> None:
    """A pipe, which can be read only once, gives the bytes that a file of its content gives."""
    (tmp_path / name).write_bytes(content)
    assert koth("import", format, tmp_path / name, "-o", tmp_path / "of_file").code == 0
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    (tmp_path / "pipes").mkdir()
    (tmp_path / "pipes" / name).symlink_to(f"/dev/fd/{reading}")
    assert koth("import", format, tmp_path / "pipes" / name, "-o", tmp_path / "of_pipe").code == 0
    os.close(reading)
    of_file, of_pipe = (
        {name: path.read_bytes() for name, path in files_below(tmp_path / folder)}
        for folder in ("of_file", "of_pipe")
    )
    assert of_pipe == of_file


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["resluts", DATA / "coup-results.txt"], "Did you mean 'results'?"),
        (["results", DATA / "gone.txt"], "gone.txt: No such file or directory."),
        (["results", DATA], "Is a directory."),
        (["results", DATA / "coup-results.txt", DATA / "coins-results.txt"], "found 2 files"),
        (["bank-heist-transcript", TRANSCRIPT, EXCERPT], "found 2 files"),
        (["bank-heist-transcript", DATA / "coup-results.txt"], "coup-results.txt:1: expected"),
    ],
)
def test_wrong_usage(words: list[object], told: str, koth: Koth, tmp_path: Path) -> None:
    """An unknown format, a missing file and too many files are each refused with a message."""
    assert told in koth.complaint("import", *words, "-o", tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_the_working_folder_is_not_replaced(
    koth: Koth, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The working folder is refused, because a shell would be left in a removed folder."""
    monkeypatch.chdir(tmp_path)
    words = ["bank-heist-transcript", TRANSCRIPT, "-o", "."]
    assert "another folder than the working folder" in koth.complaint("import", *words)
    assert not any(tmp_path.iterdir())


def test_a_folder_with_something_in_it_is_left_alone(koth: Koth, tmp_path: Path) -> None:
    """Nothing is imported into a folder that holds something; an empty one is fine."""
    (tmp_path / "kept").mkdir()
    words = ("import", "results", DATA / "coup-results.txt", "-o")
    assert "expected a new or an empty folder" in koth.complaint(*words, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert koth(*words, tmp_path / "kept").code == 0
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["tournament.jsonl"]


def test_a_disk_that_fails_is_no_wrong_usage(koth: Koth, tmp_path: Path) -> None:
    """Old results that the disk does not give are an error of the disk, which names them."""
    old = tmp_path / "old.txt"
    old.symlink_to("/proc/self/mem")  # it cannot be read at its beginning
    words = ("import", "results", old, "-o", tmp_path / "new")
    assert koth.complaint(*words, code=4) == f"{old}: Input/output error."
    assert not (tmp_path / "new").exists()
