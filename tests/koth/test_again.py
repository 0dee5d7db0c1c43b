"""``koth again``: the same match with the same bots, and the first answer that changes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from schema.reader import read
from tests.koth.commands import Koth
from tests.koth.test_reask import CHANCE

MATCHES = {
    "coup": ["examples/taxman", "examples/bandit"],
    "coins": ["examples/dealer", "examples/bookkeeper", "--set", "rounds=3"],
    "bank_heist": [
        *("examples/gambler", "examples/investor", "--set", "games_max=2", "--set", "games_min=2"),
    ],
    "smallest_unique": [
        *("examples/uniform", "examples/bayes", "--set", "seats=2", "--set", "rounds=9"),
    ],
}
CHANGED = {
    "coup": "examples/bold_lawyer",
    "coins": "examples/thief",
    "bank_heist": "examples/lone_wolf",
    "smallest_unique": "examples/stubborn",
}


def play(game: str, folder: Path, koth: Koth) -> Path:
    """Play the match of a game into a new log."""
    log = folder / "log.jsonl"
    assert koth("play", game, *MATCHES[game], "-o", log, "--seed", "7").code == 0
    return log


@pytest.mark.parametrize("game", MATCHES)
def test_unchanged_bots_write_the_same_bytes(game: str, koth: Koth, tmp_path: Path) -> None:
    """The match again with the bot that played is the recorded log, byte for byte."""
    log, new = play(game, tmp_path, koth), tmp_path / "new.jsonl"
    typed = koth("again", log, MATCHES[game][0], "-o", new)
    assert typed.code == 0, typed
    assert "the same match as recorded" in typed.out
    assert new.read_bytes() == log.read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_log_whose_path_is_not_utf_8(koth: Koth, tmp_path: Path) -> None:
    """JSON names such a log with an escape."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    log = play("coup", tmp_path, koth).rename(folder / "log.jsonl")
    typed = koth("again", log, CHANGED["coup"], "--seat", 0, "--format", "json")
    assert (typed.code, r"caf\\udce9/log.jsonl" in typed.out) == (1, True), typed


@pytest.mark.parametrize("game", MATCHES)
def test_a_changed_bot_has_a_first_other_answer(game: str, koth: Koth, tmp_path: Path) -> None:
    """The difference is an answer of its seat, the others are listed; the new log verifies."""
    log, new = play(game, tmp_path, koth), tmp_path / "new.jsonl"
    typed = koth("again", log, CHANGED[game], "--seat", 0, "-o", new, "--format", "json")
    assert typed.code == 1, typed
    difference = typed.json["difference"]
    event = difference["after"][0][0]
    assert event["type"] in ("answered", "round")
    assert event.get("seat", 0) == 0
    assert difference["question"] is not None
    assert typed.json["missing"] is None
    others = [entry["seat"] for entry in typed.json["recorded_until"]]
    assert others == [*range(1, len(read(new).start["players"]))]
    assert koth("verify", new).code == 0


def test_the_text_tells_both_courses(koth: Koth, tmp_path: Path) -> None:
    """It says whose answers count from where, and narrates both matches."""
    log = play("coup", tmp_path, koth)
    out = koth("again", log, CHANGED["coup"], "--seat", 0).out
    assert "seat 1 (bandit): its recorded answers count before event 3" in out
    assert "taxman claims the Duke and asks for tax." in out
    assert "bold_lawyer claims the Captain and asks to steal from bandit." in out


def test_without_another_bot_the_match_stops_there(koth: Koth, tmp_path: Path) -> None:
    """The missing bot is named with its seat, and no log is written."""
    for name in ("first", "second"):
        (tmp_path / f"{name}.py").write_text(FIRST_OF.format(index=0))
    log, new = tmp_path / "log.jsonl", tmp_path / "new.jsonl"
    mine, other = tmp_path / "first.py", tmp_path / "second.py"
    koth("play", "coup", mine, other, "-o", log, "--seed", "5")
    assert len(koth("again", log, mine).out.splitlines()) == 2  # nothing about the other bot
    mine.write_text(FIRST_OF.format(index=-1))
    typed = koth("again", log, mine, "-o", new)
    assert typed.code == 1
    assert "its bot is missing, so the match stops there" in typed.out
    assert typed.err.endswith(
        f"name the bot of seat 1, second, with --bots. {new} is not written.\n"
    )
    assert not new.exists()
    typed = koth("again", log, mine, "--bots", other, "-o", new)
    assert "from there its bot answers" in typed.out
    assert koth("verify", new).code == 0


def test_a_mended_bot_plays_beyond_the_end_of_the_match(koth: Koth, tmp_path: Path) -> None:
    """After a forfeit no more questions are recorded, so that the other bot answers itself."""
    (tmp_path / "first.py").write_text("raise SystemExit(1)")
    (tmp_path / "second.py").write_text(FIRST_OF.format(index=0))
    log, new = tmp_path / "log.jsonl", tmp_path / "new.jsonl"
    mine, other = tmp_path / "first.py", tmp_path / "second.py"
    koth("play", "coup", mine, other, "-o", log, "--seed", "5")
    mine.write_text(FIRST_OF.format(index=0))
    typed = koth("again", log, mine, "--bots", other, "-o", new)
    asked = new.read_bytes().count(b'"type":"answered","seat":0')
    assert f"at seat 0 had {asked} questions to answer" in typed.out
    assert asked > 10
    assert koth("verify", new).code == 0


CALM = """\
class Bot:
    def __init__(self, index): pass
    def select(self): return 3
    def update(self, choices): {update}
"""


def test_choices_that_no_log_has_are_asked_for(koth: Koth, tmp_path: Path) -> None:
    """If a bot failed before the choice, the choices of the others there are not recorded."""
    log, new, mine = (tmp_path / name for name in ("log.jsonl", "new.jsonl", "mine.py"))
    mine.write_text(CALM.format(update="1 / 0"))
    small = ["--set", "seats=2", "--set", "rounds=3"]
    koth("play", "smallest_unique", mine, "examples/bayes", "-o", log, *small)
    mine.write_text(CALM.format(update="pass"))
    koth("again", log, mine, "--seat", 0, "-o", new)
    assert "5 events" in koth("verify", log).out
    assert "6 events" in koth("verify", new).out


def test_a_bot_in_the_place_of_its_rival(koth: Koth, tmp_path: Path) -> None:
    """A bot that plays itself gets a number, so that its new log verifies."""
    log, new = tmp_path / "log.jsonl", tmp_path / "new.jsonl"
    koth("play", "coup", "examples/taxman", "examples/miser", "-o", log, "--seed", "5")
    assert koth("again", log, "examples/miser", "--seat", 0, "-o", new).out.startswith("miser-2 (")
    assert koth("verify", new).code == 0


def test_the_notes_on_an_earlier_log_of_this_name_are_removed(koth: Koth, tmp_path: Path) -> None:
    """The new log has no notes; those on a log that was deleted are about other answers."""
    log, new = play("coup", tmp_path, koth), tmp_path / "new.jsonl"
    koth("play", "coup", "examples/taxman", "examples/miser", "-o", new, "--seed", "5")
    new.unlink()
    koth("again", log, CHANGED["coup"], "--seat", 0, "-o", new)
    assert new.exists()
    assert [path.name for path in (tmp_path / "evidence").iterdir()] == ["log.jsonl"]


def test_another_bot_that_is_not_reproducible_is_named(koth: Koth, tmp_path: Path) -> None:
    """Its recorded answers count, and a line says that it answers otherwise now."""
    (tmp_path / "chance.py").write_text(CHANCE)
    log = tmp_path / "log.jsonl"
    koth("play", "coup", "examples/miser", tmp_path / "chance.py", "-o", log, "--seed", "5")
    typed = koth("again", log, "examples/miser", "--bots", tmp_path / "chance.py")
    assert typed.code == 0
    assert "seat 1 (chance) answers" in typed.out


@pytest.mark.parametrize(
    "words",
    [
        ("again", "examples/mask", "--seat", 0),
        ("blame", "--seat", 0, "--at", "2-9"),
        ("replay", "--at", 3, "--answer", "q"),
    ],
)
def test_a_named_bot_with_other_files_is_refused(
    words: tuple[object, ...], koth: Koth, tmp_path: Path
) -> None:
    """No example of its name plays in the place of the bot that is named."""
    log, changed = play("coup", tmp_path, koth), tmp_path / "bandit.py"
    changed.write_text("raise SystemExit(3)\n")
    command, *others = words
    told = koth.complaint(command, log, *others, "--bots", changed)
    assert "seat 1, bandit: expected a bot with the hash " in told
    assert "(--any-files asks it all the same)" in told
    mended = koth("again", log, changed, "--seat", 1, "--bots", changed, "examples")
    assert mended.code == 1, mended


def test_wrong_seats_and_files_are_refused(koth: Koth, tmp_path: Path) -> None:
    """A bot of another name needs its seat, and no file is written over."""
    log = play("coup", tmp_path, koth)
    assert (
        "no seat has a bot with the name of yours, miser. Choose its seat with --seat: "
        "0 taxman, 1 bandit."
    ) in koth.complaint("again", log, "examples/miser")
    twins = tmp_path / "twins.jsonl"
    koth("play", "coup", "examples/miser", "examples/miser", "-o", twins)
    assert "2 seats have a bot with" in koth.complaint("again", twins, "examples/miser")
    assert "--seat" in koth.complaint("again", log, "examples/miser", "--seat", 2)
    assert "found 12. Choose its seat with --seat: 0" in koth.complaint("again", log, "examples")
    (link := tmp_path / "link.jsonl").symlink_to("gone.jsonl")
    for path in (log, link):
        assert "never written over" in koth.complaint("again", log, "examples/taxman", "-o", path)


@pytest.mark.parametrize(
    "words",
    [
        ["again", "LOG", "examples/mask", "--seat", 0],
        ["blame", "LOG", "--seat", 0, "--at", 2],
        ["replay", "LOG", "--at", 2, "--answer", "F"],
    ],
)
def test_a_bot_that_has_no_seat_is_named(words: list[object], koth: Koth, tmp_path: Path) -> None:
    """A bot that is given alone, but that did not play, is named; a folder may have more bots."""
    log = play("coup", tmp_path, koth)
    command = [log if word == "LOG" else word for word in words]
    said = "given, but not asked: miser."
    assert said in koth(*command, "--bots", "examples/miser", "examples/bandit").err
    assert "not asked" not in koth(*command, "--bots", "examples", "examples/bandit").err


def test_a_list_of_several_bots(koth: Koth, tmp_path: Path) -> None:
    """Of several bots the one with the name of the seat plays; without one, the error says why."""
    log = play("coup", tmp_path, koth)
    words = ("examples", "--seat", 1)
    assert "bandit" in koth("again", log, *words).out.splitlines()[0]
    assert "bandit answers for seat 1" in koth("debug", log, 3, "examples").err
    entry = '[[bots]]\nname = "{}"\ncommand = "sh -c true {}"\n'
    (bots := tmp_path / "bots.toml").write_text(entry.format("fox", 1) + entry.format("taxman", 2))
    assert koth("again", log, bots).out.startswith("taxman (")
    bots.write_text(entry.format("fox", 1) + entry.format("wolf", 2))
    for seat, whose in [((), "a seat"), (("--seat", 0), "seat 0")]:
        said = koth.complaint("again", log, bots, *seat)
        assert f"found 2, none with the name of {whose}: 0 taxman, 1 bandit. Name a file" in said
        assert "a list with your bot alone" in said


FIRST_OF = """\
import sys
path, theirs, mine, cards, *legal = sys.argv[1:]
open(path, "a", newline="").write(legal[{index}])
if len(cards) > 2:
    print(cards[2:])
"""
