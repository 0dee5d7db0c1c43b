"""``koth report``: the page of a match or a tournament, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from replay.verify import verify
from tests.factories import loads, write
from tests.koth.commands import Koth
from tests.replay.log_factory import SHORT, hex_seed

CORPUS = Path(__file__).parents[1] / "corpus"


def test_a_match(koth: Koth, log: Path, tmp_path: Path) -> None:
    """The page of a match that verifies is written; nothing else is in its folder."""
    page = tmp_path / "pages" / "page.html"
    page.parent.mkdir()
    typed = koth("report", log, "-o", page)
    assert (typed.code, typed.out, typed.err) == (0, "", f"koth: {page} is written.\n")
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    assert "Coup for two, match 1-000000" in text
    assert list(page.parent.iterdir()) == [page]


def test_a_tournament(koth: Koth, tmp_path: Path, one_rule: None) -> None:
    """A tournament's folder makes the page of the tournament, a match's log that of the match."""
    folder, match = CORPUS / "honest_tournament_of_coins", "matches/1-000000.jsonl"
    assert koth("report", folder, "-o", tmp_path / "spring.html").code == 0
    assert koth("report", folder / match, "-o", tmp_path / "match.html").code == 0
    assert '<p class="kind">Tournament' in (tmp_path / "spring.html").read_text()
    assert '<p class="kind">Match' in (tmp_path / "match.html").read_text()


def test_a_log_with_findings_has_a_page(koth: Koth, log: Path, tmp_path: Path) -> None:
    """The page lists the divergence and the findings of the audit; the exit code is 1."""
    events = loads(log.read_bytes())
    wrong = next(event for event in events if event["type"] == "coins_moved")
    wrong["coins"] = [7, 7]
    page = tmp_path / "page.html"
    typed = koth("report", write(log, events, hex_seed(SHORT)), "-o", page)
    assert typed.code == 1
    assert typed.err.endswith("The page lists the findings.\n")
    assert "The log diverges at event" in page.read_text()
    assert "coup/coins_do_not_add_up" in page.read_text()


def test_what_is_there_stays(koth: Koth, log: Path) -> None:
    """A page is a new file: no log and no other file is overwritten."""
    before = log.read_bytes()
    assert "expected a new file" in koth.complaint("report", log, "-o", log)
    assert log.read_bytes() == before
    nowhere = log.parent / "no" / "page.html"
    assert "there is no such folder" in koth.complaint("report", log, "-o", nowhere)


def test_no_page_of_what_is_no_log(koth: Koth, log: Path) -> None:
    """A log that was changed after its seal gets no page, but a message with the line."""
    log.write_bytes(log.read_bytes().replace(b"dealt", b"delta"))
    page = log.parent / "page.html"
    assert f"{log}:21: " in koth.complaint("report", log, "-o", page, code=1)
    assert not page.exists()


def test_a_page_is_whole_or_not_there(
    koth: Koth, log: Path, monkeypatch: pytest.MonkeyPatch, one_rule: None
) -> None:
    """If the disk refuses, nothing is left of it."""
    page = log.parent / "page.html"

    def refuse(path: Path, content: bytes) -> None:
        path.write_bytes(content[:5])
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("schema.files.write_file", refuse)
    assert "No space left" in koth.complaint("report", log, "-o", page, code=4)
    assert list(log.parent.iterdir()) == [log]


@pytest.mark.parametrize("kind", ["pipe", "zero", "hole"])
def test_nothing_waits_beside_an_imported_match(
    kind: str, tmp_path: Path, koth: Koth, one_rule: None
) -> None:
    """An imported match gets its verdict, also beside a pipe or device named tournament.jsonl."""
    folder = CORPUS / "imported_match_of_coins"
    match = tmp_path / "matches" / "1-000000.jsonl"
    match.parent.mkdir()
    match.write_bytes((folder / "log.jsonl").read_bytes())
    own = tmp_path / "tournament.jsonl"
    if kind == "pipe":
        os.mkfifo(own)
    elif kind == "zero":
        own.symlink_to("/dev/zero")
    else:
        with own.open("wb") as file:
            file.truncate(1 << 40)
    assert verify(match).verdict == "imported"
    assert koth("report", match, "-o", tmp_path / "page.html").code == 0
