"""A bot's own folder: its name, its files, how long they last (CP-16, CP-18)."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from referee.roster import resolve
from schema import folder as layout
from tests.making import loads
from tests.referee.making_bots import CARD, FIRST, bot, hold, honest, play, script


def test_a_bot_runs_in_a_folder_that_bears_its_name(tmp_path: Path) -> None:
    """The working folder is a scratch named after the bot, holding copies of its files only."""
    body = 'basename "$PWD"; ls; act'
    played = play(tmp_path, bot(tmp_path, "tidy.sh", FIRST + body), honest(tmp_path), max_calls=1)
    assert played.outputs == ["tidy\ntidy.sh\n"]


def test_all_files_of_a_bot_are_there(tmp_path: Path) -> None:
    """A bot with a folder finds all that lies in it, in the same places."""
    script(tmp_path / "kit" / "data", "book.txt", "opening")
    script(tmp_path / "kit", "main.sh", FIRST + "cat data/book.txt; act")
    toml = '[[bots]]\nname = "reader"\ncommand = "sh main.sh"\nfolder = "kit"'
    [reader] = resolve([str(script(tmp_path, "bots.toml", toml))], CARD)
    assert play(tmp_path, reader, honest(tmp_path), max_calls=1).outputs == ["opening\n"]


def test_two_bots_do_not_share_a_folder(tmp_path: Path) -> None:
    """What a bot writes, the other one does not find in its own folder."""
    body = "ls | wc -l; touch $$; act"
    bots = [bot(tmp_path, name, FIRST + body) for name in ("one.sh", "two.sh")]
    played = play(tmp_path, *bots, max_calls=6)
    counted = [int(event["output"]) for event in played.events if event["type"] == "answered"]
    assert counted == [1, 1, 2, 2, 3, 3]


def test_files_last_for_the_match(tmp_path: Path) -> None:
    """A file that a bot makes is there in its next call, and gone in its next match (CP-18)."""
    counter = bot(tmp_path, "counter.sh", FIRST + "echo >>calls; wc -l <calls; act")
    hold(tmp_path / "cup", [counter, honest(tmp_path)], max_calls=6)
    for seat, path in enumerate(sorted((tmp_path / "cup" / layout.MATCHES).iterdir())):
        answers = [e for e in loads(path.read_bytes()) if e["type"] == "answered"]
        said = [event["output"].strip() for event in answers if event["seat"] == seat]
        assert said == ["1", "2", "3"]


def test_a_bot_that_changes_itself(tmp_path: Path) -> None:
    """A bot may rewrite its copy, for this match; neither the original nor its hash changes."""
    changing = bot(tmp_path, "changing.sh", FIRST + "echo v; echo 'echo w' >>changing.sh; act")
    original, was = (tmp_path / "changing.sh").read_bytes(), changing.hash
    for name in ("one", "two"):
        played = play(tmp_path / name, changing, honest(tmp_path), max_calls=5)
        assert played.outputs == ["v\nw\n", "v\nw\nw\n", "v\nw\nw\nw\n"]
    assert (tmp_path / "changing.sh").read_bytes() == original
    assert changing.hash == was == bot(tmp_path, "changing.sh", original.decode().rstrip()).hash


def test_a_bot_that_deletes_its_folder_crashes(tmp_path: Path) -> None:
    """Without its folder a bot cannot be started again."""
    vandal = bot(tmp_path, "vandal.sh", FIRST + 'act; rm -r "$PWD"')
    played = play(tmp_path, vandal, honest(tmp_path))
    assert played.fault["kind"] == "crash"
    assert played.evidence[-1]["error"]


@pytest.mark.parametrize("body", ["act", "exit 1", "mkdir -m 000 locked; touch x; act"])
def test_nothing_is_left_after_a_match(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scratch folders and history files are removed, whatever is in them."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    play(tmp_path, bot(tmp_path, "villain.sh", FIRST + body), honest(tmp_path), max_calls=4)
    assert list((tmp_path / "tmp").iterdir()) == []
