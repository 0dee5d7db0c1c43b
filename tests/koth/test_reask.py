"""``koth reask``: an answer that a bot never gave is found, and no bot is accused of its chance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from replay.verify import verify
from schema import registry
from schema.reader import read
from tests.factories import answer, match_events, write
from tests.koth.commands import Koth
from tests.referee.bot_factory import COUNTER

FIRST = """\
import sys
path, theirs, mine, cards, *legal = sys.argv[1:]
open(path, "a", newline="").write(legal[0])
"""
CHANCE = """\
import os, sys
path, theirs, mine, cards, *legal = sys.argv[1:]
number = int.from_bytes(os.urandom(8), "big")
print(number)
open(path, "a", newline="").write(legal[0])
"""
LUCK = """\
import os, random, sys
path, theirs, mine, cards, *legal = sys.argv[1:]
random.seed(os.environ["KOTH_BOT_SEED"])
print(random.random())
open(path, "a", newline="").write(random.choice(legal))
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot that always takes the first legal action."""
    path = tmp_path / "first.py"
    path.write_text(FIRST)
    return path


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("coup", ["examples/gambler", "examples/bandit"]),
        ("coins", ["examples/random_player", "examples/dealer"]),
        ("bank_heist", ["examples/gambler", "examples/investor", "--set", "games_max=7"]),
        ("smallest_unique", ["examples/uniform", "examples/bayes", "--set", "seats=2"]),
    ],
)
def test_bots_answer_again_as_they_did(
    game: str, words: list[str], koth: Koth, tmp_path: Path
) -> None:
    """Bots that take their chance from their seed repeat every answer, in each game."""
    log = tmp_path / "log.jsonl"
    small = {"bank_heist": ["--set", "games_min=5"], "smallest_unique": ["--set", "rounds=20"]}
    assert koth("play", game, *words, *small.get(game, []), "-o", log, "--seed", "7").code == 0
    typed = koth("reask", log, "examples", "--format", "json")
    assert typed.code == 0, typed
    assert typed.json["answers"] > 5
    assert typed.json["differences"] == typed.json["not_reproducible"] == []


def test_chance_out_of_the_bots_seed_is_reproducible(koth: Koth, tmp_path: Path) -> None:
    """A bot gets the seed of then, decision by decision, for each of the two times."""
    (tmp_path / "luck.py").write_text(LUCK)
    log = tmp_path / "log.jsonl"
    koth("play", "coup", tmp_path / "luck.py", "examples/miser", "-o", log, "--seed", "1")
    assert koth("reask", log, tmp_path / "luck.py", "examples").code == 0


def swapped(bot: Path, log: Path, koth: Koth) -> list[dict[str, Any]]:
    """Return a log that verifies, of a match with one answer that the bot did not give."""
    honest = log.with_name("honest.jsonl")
    assert koth("play", "coup", bot, bot, "-o", honest, "--seed", "5").code == 0
    asked = 0

    def play(ask: Any) -> Any:
        nonlocal asked
        asked += 1
        return answer(ask.legal[-1 if asked == 3 else 0])

    events = match_events(play, seed=f"{5:064x}")
    events[0] = read(honest).start
    write(log, events, f"{5:064x}")
    assert verify(log).verdict == "verified"
    return events


def test_a_swapped_answer_is_found(bot: Path, koth: Koth, tmp_path: Path) -> None:
    """A log that verifies, with one answer that its bot never gave, names event, seat and both."""
    log = tmp_path / "log.jsonl"
    events = swapped(bot, log, koth)
    typed = koth("reask", log, bot, "--format", "json")
    assert typed.code == 1
    [found] = typed.json["differences"]
    recorded = events[found["seq"]]
    assert recorded["type"] == "answered"
    assert (found["seat"], found["ask"]) == (recorded["seat"], recorded["ask"])
    assert found["recorded"]["appended"] == recorded["appended"] != found["again"]["appended"]
    text = koth("reask", log, bot)
    assert text.code == 1
    assert f"event {found['seq']}, first" in text.out


def test_a_bot_of_chance_is_not_accused(koth: Koth, tmp_path: Path) -> None:
    """A bot that contradicts itself is named as not reproducible, and no difference is listed."""
    (tmp_path / "chance.py").write_text(CHANCE)
    log = tmp_path / "log.jsonl"
    koth("play", "coup", tmp_path / "chance.py", "examples/miser", "-o", log, "--seed", "1")
    typed = koth("reask", log, tmp_path / "chance.py", "examples")
    assert typed.code == 0
    assert "chance (seat 0) is not reproducible" in typed.out
    assert "0 of them other than recorded; 1 of 2 bots are reproducible" in typed.out


def test_other_files_are_refused(bot: Path, koth: Koth, tmp_path: Path) -> None:
    """A bot whose files are not the recorded ones is asked only with --any-files."""
    log = tmp_path / "log.jsonl"
    koth("play", "coup", bot, bot, "-o", log, "--seed", "5")
    bot.write_text(FIRST + "# mended\n")
    complaint = koth.complaint("reask", log, bot)
    assert "seat 0, first: expected a bot with the hash" in complaint
    assert "--any-files" in complaint
    assert koth("reask", log, bot, "--any-files").code == 0


@pytest.mark.parametrize(
    ("game", "source", "settings"),
    [("coup", FIRST, ()), ("smallest_unique", COUNTER, ("--set", "seats=2", "--set", "rounds=5"))],
)
def test_an_author_needs_no_other_bot(
    game: str, source: str, settings: tuple[str, ...], koth: Koth, tmp_path: Path
) -> None:
    """The bot of one seat is asked alone, and the seat that nobody can ask is named."""
    log, mine, theirs = (tmp_path / name for name in ("log.jsonl", "mine.py", "theirs.py"))
    mine.write_text(source)
    theirs.write_text(source + "# secret\n")
    koth("play", game, theirs, mine, "-o", log, "--seed", "5", *settings)
    theirs.unlink()
    typed = koth("reask", log, mine)
    assert typed.code == 0
    assert "koth: not asked, because their bots are not there: theirs.\n" in typed.err
    assert "0 of them other than recorded; 1 of 1 bot is reproducible" in typed.out
    listed = koth("reask", log, mine, "--format", "json").json
    assert listed["seats"] == [1]
    assert listed["answers"] > 1


def test_example_bots_are_found(bot: Path, koth: Koth, tmp_path: Path) -> None:
    """A seat of an example bot is asked without the name of the bot; other bots must be named."""
    koth("play", "coup", bot, "examples/miser", "-o", log := tmp_path / "log.jsonl", "--seed", "5")
    assert "2 of 2 bots are reproducible" in koth("reask", log, bot).out
    assert "1 of 1 bot is reproducible" in koth("reask", log).out
    koth("play", "coup", bot, bot, "-o", own := tmp_path / "own.jsonl", "--seed", "5")
    assert "expected a match of example bots" in koth.complaint("reask", own)


def test_the_file_that_is_named_is_asked(bot: Path, koth: Koth, tmp_path: Path) -> None:
    """With --any-files the named file wins over the recorded file; unused bots are named."""
    log = tmp_path / "log.jsonl"
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "first.py").write_text(FIRST)
    (tmp_path / "folder" / "other.py").write_text(FIRST + "# another\n")
    koth("play", "coup", bot, bot, "-o", log, "--seed", "5")
    bot.write_text(FIRST.replace("legal[0]", "legal[-1]"))
    for words in ([bot, tmp_path / "folder"], [tmp_path / "folder", bot]):
        typed = koth("reask", log, *words, "--any-files", "--format", "json")
        assert typed.code == 1
        assert typed.json["differences"]
        assert "koth: given, but not asked: first, other.\n" in typed.err
    typed = koth("reask", log, bot, tmp_path / "folder")
    assert typed.code == 0
    told = "first, other. first played with other files; --any-files asks these."
    assert f"koth: given, but not asked: {told}\n" in typed.err
    assert koth("reask", log, bot, tmp_path / "folder").code == 0


def test_numbers_after_names(bot: Path, koth: Koth, tmp_path: Path) -> None:
    """With --any-files a bot plays all seats under its name, unless another is called fox-2."""
    log, twin, number = (tmp_path / name for name in ("log.jsonl", "first-2.py", "2.py"))
    twin.write_text(FIRST.replace("legal[0]", "legal[-1]"))
    number.write_text(FIRST)
    koth("play", "coup", bot, twin, "-o", log, "--seed", "5")
    for words in ((bot, twin), (twin, bot)):
        assert koth("reask", log, *words, "--any-files").code == 0
    refused = koth.complaint("reask", log, number, "--any-files")
    assert "seat 0, first: expected a bot of this name, or one bot for each seat, found" in refused
    koth("play", "coup", bot, bot, "-o", same := tmp_path / "same.jsonl", "--seed", "5")
    assert koth("reask", same, bot, twin, "--any-files").code == 0
    koth("play", "coup", "examples/miser", number, "-o", other := tmp_path / "other.jsonl")
    assert "no seat has a bot with the name of yours, first." in koth.complaint("again", other, bot)


@pytest.mark.parametrize("mine", [0, 1])
def test_an_author_whose_bot_has_a_namesake(mine: int, koth: Koth, tmp_path: Path) -> None:
    """Of two bots of one name, either author asks only the own one."""
    bots, log = [tmp_path / "0/fox.py", tmp_path / "1/fox.py"], tmp_path / "log.jsonl"
    for path in bots:
        path.parent.mkdir()
        path.write_text(f"{FIRST}# {path.parent.name}\n")
    assert koth("play", "coup", *bots, "-o", log, "--seed", 7).code == 0
    typed = koth("reask", log, bots[mine])
    assert typed.code == 0, typed
    assert "1 of 1 bot is reproducible" in typed.out


def test_bots_of_other_names_are_asked_in_order(bot: Path, koth: Koth, tmp_path: Path) -> None:
    """With --any-files as many bots as seats are asked in the order of the seats."""
    log, last = tmp_path / "log.jsonl", tmp_path / "last.py"
    last.write_text(FIRST.replace("legal[0]", "legal[-1]"))
    koth("play", "coup", bot, last, "-o", log, "--seed", "5")
    others = [path.rename(path.with_stem(f"other_{path.stem}")) for path in (bot, last)]
    assert koth("reask", log, *others, "--any-files").code == 0
    assert koth("reask", log, *reversed(others), "--any-files").code == 1


def test_a_bot_at_three_seats(koth: Koth, tmp_path: Path) -> None:
    """With --any-files a bot that played thrice is found for each of its seats."""
    log, mended = tmp_path / "log.jsonl", tmp_path / "gambler.py"
    source = registry.card("bank_heist").bots / "gambler.py"
    few = ["--set", "games_min=5", "--set", "games_max=7"]
    koth("play", "bank_heist", source, source, source, *few, "-o", log)
    mended.write_text(source.read_text() + "# mended\n")
    assert koth("reask", log, mended, "--any-files").code == 0


def test_only_a_match_that_verifies_is_asked_again(koth: Koth, bot: Path, tmp_path: Path) -> None:
    """The questions of a log that does not follow from its seed are not those of the match."""
    koth("tournament", "coup", bot, "examples/miser", "-o", tmp_path / "t", "--set", "rounds=1")
    assert "that of a tournament" in koth.complaint("reask", tmp_path / "t/tournament.jsonl", bot)
    log = next((tmp_path / "t" / "matches").iterdir())
    log.write_bytes(log.read_bytes().replace(b'"seat":0,"ask"', b'"seat":1,"ask"', 1))
    assert "found one that is corrupt" in koth.complaint("reask", log, bot, code=1)


def test_an_honest_organiser_is_not_accused(koth: Koth, tmp_path: Path) -> None:
    """A class bot that counts its matches in its process answers in each match as it did."""
    (tmp_path / "counter.py").write_text(COUNTER)
    bots = [tmp_path / "counter.py", "examples/uniform"]
    words = ["--set", "seats=2", "--set", "rounds=2", "--set", "games_per_entrant=3"]
    folder = tmp_path / "cup"
    typed = koth("tournament", "smallest_unique", *bots, "-o", folder, "--seed", "7", *words)
    assert typed.code == 0, typed
    logs = sorted((folder / "matches").iterdir())
    assert len(logs) > 2
    for log in (logs[0], logs[-1]):
        typed = koth("reask", log, tmp_path / "counter.py", "examples", "--format", "json")
        assert typed.code == 0, typed
        assert typed.json["answers"] == 4
        assert typed.json["differences"] == typed.json["not_reproducible"] == []
