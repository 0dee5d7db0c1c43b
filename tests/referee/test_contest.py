"""Contests: entering, playing what is missing, and going on after an interruption.

In the suite the interruptions are a sample. ``KOTH_FUZZ=2 python -m pytest
tests/referee/test_contest.py`` kills at every moment.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from games.contest import chain_seed
from referee.bot import Bot
from referee.contest import entries, stages
from referee.contest.folder import make, opened
from referee.errors import BotsError
from referee.roster.resolve import resolve
from schema import discovery as layout
from schema import files as schema_files
from schema import registry, seal
from schema.errors import CorruptLog, UsageError
from schema.reader import read
from schema.rules_version import CardError
from schema.writer import InUse
from tests import contests
from tests.factories import SEED
from tests.referee.bot_factory import class_source
from tests.referee.interruptions import Disk, Killed, disk, playing
from tests.sampling import LONG_RUN
from tests.schema import samples
from tests.schema.test_writer_and_reader import full_disk

STEP = 1 if LONG_RUN else 7
"""The suite tries every seventh moment."""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A new contest."""
    return contests.new(tmp_path / "cup")


def kept(folder: Path) -> dict[str, bytes]:
    """The bytes of all files of a contest except evidence, and the names of its folders."""
    paths = [path for path in sorted(folder.rglob("*")) if layout.EVIDENCE not in path.parts]
    return {
        str(path.relative_to(folder)): b"" if path.is_dir() else path.read_bytes() for path in paths
    }


def bots(folder: Path, *names: str) -> list[str]:
    """Write bots, and return their paths."""
    return [contests.bot(folder / "bots", name) for name in names]


# --- what is missing -----------------------------------------------------------------------------


def test_a_late_bot_costs_its_own_games(cup: Path, tmp_path: Path) -> None:
    """A new or revised bot plays 2 × rounds games with each other bot; nothing else is played."""
    counts = []

    def hold() -> None:
        contests.enter(cup, bots(tmp_path, "a", "b", "c", "d"))
        counts.append(contests.run(cup))
        before = kept(cup / "stages/0001")
        contests.enter(cup, bots(tmp_path, "e"))
        counts.append(contests.run(cup))
        contests.enter(cup, [contests.bot(tmp_path / "bots", "b", "revised")])
        counts.append(contests.run(cup))
        counts.append(contests.run(cup))
        assert kept(cup / "stages/0001") == before

    contests.simulated(hold)
    assert counts == [2 * 6, 2 * 4, 2 * 4, 0]


@pytest.mark.parametrize("game", ["smallest_unique", "bank_heist", "coins"])
def test_games_of_all_play_a_whole_tournament(game: str, tmp_path: Path) -> None:
    """In games of all, and of drawn tables, a stage is a tournament of all who are in."""
    settings: dict[str, dict[str, Any]] = {
        "smallest_unique": {"seats": 3, "rounds": 3, "games_per_entrant": 1},
        "bank_heist": {"games_min": 1, "games_max": 1, "rabble": 2, "matches": 2},
        "coins": {"games": 2, "rounds": 2},
    }
    examples = ["uniform", "cycler", "bayes", "stubborn"]
    if game != "smallest_unique":
        examples = ["saver", "tither", "lurker", "gambler"]
    if game == "coins":
        examples = ["planner", "passive", "dealer", "flipper"]
    extra = {"min_games_per_entrant": 0} if game == "smallest_unique" else {}
    cup = contests.new(tmp_path / "cup", game, **settings[game], **extra)
    words = [f"examples/{name}" for name in examples]

    def hold() -> None:
        contests.enter(cup, words[:3])
        contests.run(cup)
        contests.enter(cup, words[3:])
        contests.run(cup)
        assert contests.run(cup) == 0

    contests.simulated(hold)
    for stage, entrants in (("0001", 3), ("0002", 4)):
        log = (cup / "stages" / stage / layout.TOURNAMENT).read_bytes()
        assert log.count(b'{"entrant":') == entrants
        assert b'"pairings"' not in log.splitlines()[0]


# --- entering ------------------------------------------------------------------------------------


def test_a_version_is_copied_once(cup: Path, tmp_path: Path) -> None:
    """Entering a bot again does nothing; other files are a revision; both versions stay."""
    [fox] = bots(tmp_path, "fox")
    assert contests.enter(cup, [fox]) == ["entered"]
    before = kept(cup)
    assert contests.enter(cup, [fox]) == []
    assert kept(cup) == before
    contests.bot(tmp_path / "bots", "fox", "revised")
    assert contests.enter(cup, [fox]) == ["revised"]
    assert len(list((cup / "bots/fox").iterdir())) == 2
    contests.bot(tmp_path / "bots", "fox")
    assert contests.enter(cup, [fox]) == ["revised"]
    assert len(list((cup / "bots/fox").iterdir())) == 2
    assert contests.enter(cup, [fox, *bots(tmp_path, "hen")]) == ["entered"]


def test_two_bots_of_one_name_are_refused(cup: Path, tmp_path: Path) -> None:
    """One command enters no two versions of a bot."""
    versions = [Bot("fox", ("./fox",), (), class_name) for class_name in ("A", "B")]
    with opened(cup) as held, pytest.raises(BotsError, match="fox"):
        entries.planned(held, versions)


def test_a_stored_bot_is_the_bot_that_was_entered(cup: Path, tmp_path: Path) -> None:
    """Files, command, class and rights of a bot survive in the contest's folder."""
    folder = tmp_path / "bots/big"
    (folder / "data").mkdir(parents=True)
    (folder / "data/table.txt").write_text("1 2 3\n")
    (folder / "go.sh").write_text("#!/bin/sh\n")
    (folder / "engine").write_bytes(b"\x7fELF and more")
    for name in ("go.sh", "engine"):
        (folder / name).chmod(0o755)
    (tmp_path / "bots/bots.toml").write_text(
        '[[bots]]\nname = "big"\ncommand = "./go.sh --fast"\nfolder = "big"\n'
    )
    contests.enter(cup, [str(tmp_path / "bots/bots.toml")])
    for name in ("go.sh", "engine"):
        [program] = (cup / "bots/big").glob(f"*/{name}")
        assert program.stat().st_mode & 0o111
        program.chmod(0o644)  # as after `koth unpack`: a bundle does not keep rights
    with opened(cup) as held:
        bot = entries.stored(cup, held.state.current["big"])
        assert bot.hash == held.state.current["big"].bot
    assert bot.command == ("./go.sh", "--fast")
    assert dict(bot.files)["go.sh"].executable
    assert dict(bot.files)["engine"].executable
    assert not dict(bot.files)["data/table.txt"].executable


@pytest.mark.parametrize("game", ["coup", "smallest_unique"])
def test_a_stored_file_named_like_an_option(game: str, tmp_path: Path) -> None:
    """It is the same bot again, whether its interpreter runs the file or loads a class of it."""
    file = tmp_path / "-c.py"
    file.write_text(class_source())
    [given] = resolve([str(file)], registry.card(game))
    cup = contests.new(tmp_path / "cup", game, **({} if game == "coup" else {"seats": 2}))
    contests.enter(cup, [str(file)])
    with opened(cup) as held:
        bot = entries.stored(cup, held.state.current["-c"])
    assert (bot.hash, bot.command) == (given.hash, given.command)
    assert bot.command[-1] == ("./-c.py" if game == "coup" else "-c.py")


def test_a_program_that_the_system_starts_is_executable(cup: Path, tmp_path: Path) -> None:
    """The file that a bot's command starts is executable, and others if they still are."""
    folder = tmp_path / "bots/own"
    folder.mkdir(parents=True)
    for name in ("helper", "own.exe", "table"):
        (folder / name).write_bytes(b"MZ")
        (folder / name).chmod(0o644 if name == "table" else 0o755)
    (tmp_path / "bots/bots.toml").write_text(
        '[[bots]]\nname = "own"\ncommand = "./own.exe"\nfolder = "own"\n'
    )
    contests.enter(cup, [str(tmp_path / "bots/bots.toml")])
    [program] = (cup / "bots/own").glob("*/own.exe")
    program.chmod(0o644)  # as after `koth unpack`
    with opened(cup) as held:
        files = dict(entries.stored(cup, held.state.current["own"]).files)
    assert [name for name, file in files.items() if file.executable] == ["helper", "own.exe"]


def test_a_match_of_a_bot_that_was_not_entered(cup: Path, tmp_path: Path) -> None:
    """A match has the bots of its contest if it is there, with both versions and their files."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    contests.simulated(lambda: contests.run(cup))
    path = cup / "stages/0001/matches/1-000000.jsonl"
    match = read(path)
    seated = [bot for bot in entries.available(match) if bot is not None]
    assert [bot.name for bot in seated] == ["fox", "hen"]
    assert {bot.command[0] for bot in seated} == {sys.executable}
    shutil.move(cup / "bots/fox", tmp_path)
    assert entries.available(match) == [None, seated[1]]
    shutil.copy(path, tmp_path / "alone.jsonl")
    assert entries.available(read(tmp_path / "alone.jsonl")) == [None, None]
    start, fox, hen, *_ = contests.events(cup)
    for left, unknown in ([start, hen], "fox"), ([start, fox], "hen"), ([start], "fox"):
        contests.rewrite(cup, left)
        with pytest.raises(BotsError, match=f"expected the entry of {unknown} in this match"):
            entries.available(match)
    (cup / layout.CONTEST).write_bytes(b"")
    with pytest.raises(BotsError, match="expected the entry of fox in this match"):
        entries.available(match)


def _many(folder: Path) -> Path:
    (folder / "many").mkdir(parents=True)
    for number in range(10_000):
        (folder / "many" / f"{number}").touch()
    (folder / "many/main.py").write_text("")
    return folder / "many"


def _link(folder: Path) -> Path:
    (folder / "link").mkdir(parents=True)
    (folder / "link/main.py").symlink_to("/etc/passwd")
    return folder / "link"


def _case(folder: Path) -> Path:
    return Path(contests.bot(folder, "FOX"))


def _spaces(folder: Path) -> Path:
    return Path(contests.bot(folder, "a b"))


def _control(folder: Path) -> Path:
    return Path(contests.bot(folder, "fo\x1b[31mx"))


def _odd_file(folder: Path) -> Path:
    contests.bot(folder / "odd", "main")
    (folder / "odd/data\n").write_text("")
    return folder / "odd"


@pytest.mark.parametrize(
    ("make", "message"),
    {
        "no such file": (lambda folder: folder / "none.py", "there is no such bot"),
        "10,000 files": (_many, "expected at most 500 files"),
        "a link out of the folder": (_link, "leads out of"),
        "the same name in another case": (_case, "'fox' and 'FOX' look alike"),
        "white space": (_spaces, "expected a name of 1 to 64"),
        "control characters": (_control, "expected a name of 1 to 64"),
        "a file that no bundle can hold": (_odd_file, r"odd: expected files with printable names"),
    }.values(),
)
def test_a_bad_bot_changes_nothing(
    make: Callable[[Path], Path], message: str, cup: Path, tmp_path: Path
) -> None:
    """A bot that cannot be entered is refused by name, with the good ones beside it."""
    contests.enter(cup, bots(tmp_path, "fox"))
    before = kept(cup)
    bad = make(tmp_path / "bad")
    with pytest.raises(BotsError, match=message):
        contests.enter(cup, [*bots(tmp_path, "good"), str(bad)])
    assert kept(cup) == before


def test_a_bot_that_cannot_be_copied_changes_nothing(cup: Path, tmp_path: Path) -> None:
    """If the disk is full at the second bot, the first one is not entered either."""
    install = Bot.install

    def fail(bot: Bot, folder: Path) -> None:
        if bot.name == "hen":
            raise OSError(errno.ENOSPC, "No space left on device", str(folder))
        install(bot, folder)

    words = bots(tmp_path, "fox", "hen")
    with patch.object(Bot, "install", fail), pytest.raises(OSError, match="No space left"):
        contests.enter(cup, words)
    assert [event["type"] for event in contests.events(cup)] == ["contest_started"]
    assert contests.enter(cup, words) == ["entered", "entered"]


def test_a_full_disk_leaves_no_contest(tmp_path: Path) -> None:
    """The error names the folder of the new contest, and no part of it is left."""
    with full_disk(100), pytest.raises(OSError, match="File too large") as told:
        contests.new(tmp_path / "new" / "cup")
    assert told.value.filename == str(tmp_path / "new" / "cup")
    assert not list((tmp_path / "new").iterdir())


def test_more_bots_than_a_stage_can_have(cup: Path, tmp_path: Path) -> None:
    """Bots beyond the maximum of the game's card are refused before the first one is asked."""
    names = [f"b{number}" for number in range(1_001)]
    with pytest.raises(BotsError, match=r"of .*: expected at most 1000 bots, found 1001"):
        contests.enter(cup, bots(tmp_path, *names))
    assert [event["type"] for event in contests.events(cup)] == ["contest_started"]


def test_as_many_bots_as_a_stage_can_have(cup: Path) -> None:
    """The maximum of the game's card can be entered."""
    thousand = [Bot(f"b{number}", ("./bot",), ()) for number in range(1_000)]
    with opened(cup) as held:
        assert [bot.name for bot, _ in entries.planned(held, thousand)] == [
            bot.name for bot in thousand
        ]


@pytest.mark.parametrize("name", ["..", ".", "a/b", "", "x" * 65])
def test_a_hostile_name_is_refused(name: str, cup: Path, tmp_path: Path) -> None:
    """``--as`` takes no name that could be a path."""
    with pytest.raises(BotsError, match="expected a name of 1 to 64"):
        contests.enter(cup, bots(tmp_path, "fox"), name)


def test_nobody_unknown_is_withdrawn(cup: Path, tmp_path: Path) -> None:
    """Withdrawing an unknown name changes nothing; withdrawing twice records it once."""
    with pytest.raises(BotsError, match=r"'fxo': no such bot was entered\.$"):
        contests.withdraw(cup, "fxo")
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    before = kept(cup)
    with pytest.raises(BotsError, match=r"'fxo': no such bot was entered\. Did you mean 'fox'"):
        contests.withdraw(cup, "hen", "fxo")
    assert kept(cup) == before
    with opened(cup) as held:
        assert entries.withdraw(held, ["hen", "hen"]) == ["hen"]
        assert entries.withdraw(held, ["hen"]) == []
    assert [event["type"] for event in contests.events(cup)].count("withdrawn") == 1


# --- the folder ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [None, "league"])
def test_a_contest_has_a_name(name: str | None, tmp_path: Path) -> None:
    """Without a name, the first seed of the chain names it; the folders around it are made."""
    card = registry.card("coup")
    folder = tmp_path / "deep" / "down" / "cup"
    made = make(folder, card, card.settings({}), SEED, 3, name)
    [start] = contests.events(folder)
    head = chain_seed(SEED, 3, 0)
    assert made == start["contest"] == (name or seal.tournament_id(head))
    assert start["seed_commitment"] == head


def test_no_contest_of_a_broken_game_is_made(tmp_path: Path) -> None:
    """The card of the game is checked first."""
    card = registry.card("coup")
    broken = patch.object(type(card.current), "check", side_effect=CardError("broken"))
    with broken, pytest.raises(CardError):
        make(tmp_path / "cup", card, card.settings({}), SEED, 3, None)
    assert not (tmp_path / "cup").exists()


@pytest.mark.parametrize("data", [b"", b'{"seq":0,', None], ids=["empty", "torn", "a match"])
def test_a_log_of_no_contest(data: bytes | None, cup: Path) -> None:
    """A file in place of the contest's log is refused, and stays as it is."""
    log = cup / layout.CONTEST
    log.write_bytes(samples.whole() if data is None else data)
    before = log.read_bytes()
    with pytest.raises(CorruptLog, match="expected the start of a contest") as error, opened(cup):
        pass
    assert error.value.line == 1
    assert log.read_bytes() == before


def test_a_log_with_an_event_that_cannot_follow(cup: Path, tmp_path: Path) -> None:
    """The event is named, and the contest is not written."""
    contests.enter(cup, bots(tmp_path, "fox"))
    contests.rewrite(cup, [*contests.events(cup), {"type": "withdrawn", "name": "hen"}])
    before = kept(cup)
    with pytest.raises(CorruptLog, match="hen") as error, opened(cup):
        pass
    assert error.value.line == 3
    assert kept(cup) == before


def test_a_contest_of_earlier_rules(cup: Path, tmp_path: Path) -> None:
    """A contest goes on with the rules that it began with."""
    [start] = contests.events(cup)
    del start["settings"]["mirrored"]
    contests.rewrite(cup, [start | {"rules": "coup/1"}])
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    contests.simulated(lambda: contests.run(cup))
    for log in ("tournament.jsonl", "matches/1-000000.jsonl"):
        assert read(cup / "stages/0001" / log).start["rules"] == "coup/1"


def test_an_entry_is_on_the_disk(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each event is synced before the next one is written."""
    log, sizes = cup / layout.CONTEST, []

    def fsync(descriptor: int) -> None:
        if Path(f"/proc/self/fd/{descriptor}").samefile(log):
            sizes.append(os.fstat(descriptor).st_size)

    words = bots(tmp_path, "fox", "hen")
    monkeypatch.setattr(os, "fsync", fsync)
    contests.enter(cup, words)
    lines = log.read_bytes().splitlines(keepends=True)
    assert sizes == [sum(map(len, lines[:number])) for number in (2, 3)]


def test_an_event_that_cannot_follow_is_not_recorded(cup: Path) -> None:
    """Nothing is written for a bot that was never entered."""
    before = kept(cup)
    with opened(cup) as held, pytest.raises(UsageError, match=f"^{cup}: "):
        held.append({"type": "withdrawn", "name": "nobody"})
    assert kept(cup) == before


# --- refusals ------------------------------------------------------------------------------------


def test_two_commands_at_once(cup: Path, tmp_path: Path) -> None:
    """While one command writes the contest, another is refused, and nothing is lost."""
    with opened(cup), pytest.raises(InUse, match="another command is writing this file"):
        contests.enter(cup, bots(tmp_path, "fox"))
    assert contests.enter(cup, bots(tmp_path, "fox")) == ["entered"]


def test_a_closed_contest_changes_no_more(cup: Path, tmp_path: Path) -> None:
    """Nothing follows the seal, and no seed is left; closing twice does nothing."""
    contests.enter(cup, bots(tmp_path, "hen"))
    for _ in range(2):
        with opened(cup) as held:
            held.close()
    assert not (cup / layout.SEEDS).exists()
    before = kept(cup)
    with pytest.raises(UsageError, match="this contest is closed"):
        contests.enter(cup, bots(tmp_path, "fox"))
    with pytest.raises(UsageError, match="this contest is closed"):
        contests.withdraw(cup, "hen")
    with pytest.raises(UsageError, match="this contest is closed"):
        contests.run(cup)
    assert kept(cup) == before


def test_a_contest_has_a_number_of_stages(tmp_path: Path) -> None:
    """After the last seed of the chain no stage is played, and nothing is written."""
    cup = contests.new(tmp_path / "cup", stages=1)
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    contests.simulated(lambda: contests.run(cup))
    contests.enter(cup, bots(tmp_path, "owl"))
    before = kept(cup)
    with pytest.raises(UsageError, match="the chain of 1 seeds is used up"):
        contests.run(cup)
    assert kept(cup) == before


def test_too_few_bots(cup: Path, tmp_path: Path) -> None:
    """A stage needs as many bots as a tournament of the game."""
    contests.enter(cup, bots(tmp_path, "fox"))
    with pytest.raises(UsageError, match="expected 2 to 1000 bots, found 1"):
        contests.run(cup)


def test_the_seeds_are_the_contests_own(cup: Path, tmp_path: Path) -> None:
    """A stage is refused without the chain's last seed, and with that of another chain."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    seeds = cup / layout.SEEDS
    assert seeds.stat().st_mode & 0o777 == 0o600
    seeds.write_text("ab" * 32)
    with pytest.raises(CorruptLog, match="expected the seed that the contest is bound to") as error:
        contests.run(cup)
    assert error.value.line == 1
    seeds.write_bytes(b"\xff")
    with pytest.raises(UsageError, match="without it the contest cannot go on"):
        contests.run(cup)
    seeds.unlink()
    with pytest.raises(UsageError, match="without it the contest cannot go on"):
        contests.run(cup)
    assert contests.events(cup)[-1]["type"] == "entered"


def test_seeds_that_the_disk_does_not_give_are_not_missing(cup: Path, tmp_path: Path) -> None:
    """A chain's last seed that cannot be read because the disk fails is an error of the disk."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    seeds = cup / layout.SEEDS
    kept = seeds.rename(tmp_path / "kept")
    seeds.symlink_to("/proc/self/mem")  # it cannot be read at its beginning
    with pytest.raises(OSError, match=f"Input/output error: '{seeds}'"):
        contests.run(cup)
    kept.replace(seeds)
    contests.run(cup)


def test_exchanged_files_are_not_played(cup: Path, tmp_path: Path) -> None:
    """A bot whose files were changed in the contest's folder does not play."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    [file] = (cup / "bots/fox").glob("*/*")
    file.write_text("# another\n")
    with pytest.raises(BotsError, match="expected the files of fox as they were entered"):
        contests.run(cup)
    assert contests.events(cup)[-1]["type"] == "entered"
    file.with_name("notes").touch()
    with pytest.raises(BotsError, match=rf" of {file.name} and notes\. Put them back"):
        contests.run(cup)


def test_missing_files_are_not_played(cup: Path, tmp_path: Path) -> None:
    """A bot whose folder is missing does not play, and the message names the folder."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    shutil.rmtree(cup / "bots/fox")
    with pytest.raises(BotsError, match="found no such folder"):
        contests.run(cup)
    assert contests.events(cup)[-1]["type"] == "entered"


def test_empty_folders_need_not_be_there(cup: Path, tmp_path: Path) -> None:
    """A contest goes on without its empty folders, which Git does not keep."""
    for name in (layout.BOTS, layout.STAGES):
        (cup / name).rmdir()
    contests.withdraw(cup)
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    contests.simulated(lambda: contests.run(cup))
    assert contests.events(cup)[-1]["type"] == "stage_finished"


def test_other_files_beside_the_bots_stay(cup: Path, tmp_path: Path) -> None:
    """Only copies that are not whole are removed from the folder of bots."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    names = (".DS_Store", "fox/.DS_Store", "fox/drafts/plan.txt")
    notes = [cup / "bots" / name for name in names]
    for note in notes:
        note.parent.mkdir(exist_ok=True)
        note.touch()
    contests.simulated(lambda: contests.run(cup))
    assert all(note.exists() for note in notes)


def test_the_remains_of_an_interrupt_are_removed(cup: Path, tmp_path: Path) -> None:
    """A copy that is not whole goes, and so does the folder of a bot without a copy."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    whole = kept(cup)
    for name in ("fox/.koth-1.tmp", "owl/.koth-2.tmp", "empty"):
        (cup / "bots" / name).mkdir(parents=True)
    (cup / "bots/owl/.koth-2.tmp/owl.py").touch()
    with opened(cup):
        pass
    assert kept(cup) == whole


def test_a_bot_is_tried_with_the_command_of_the_stages(cup: Path, tmp_path: Path) -> None:
    """Its first question is asked with the command with which it will play."""
    [word] = bots(tmp_path, "fox")
    with opened(cup) as held:
        planned = entries.planned(held, resolve([word], held.card))
        entries.enter(held, planned)
        [(bot, type)] = planned
        assert type == "entered"
        assert bot.command == entries.stored(cup, held.state.current["fox"]).command
        assert str(tmp_path) not in " ".join(bot.command[1:])


def test_an_older_log_costs_no_bot(cup: Path, tmp_path: Path) -> None:
    """A contest with an older log for a while has all its bots when the newest one is back."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    log = cup / layout.CONTEST
    older = log.read_bytes()
    contests.enter(cup, bots(tmp_path, "owl"))
    whole = kept(cup)
    newest = log.read_bytes()
    log.write_bytes(older)
    contests.withdraw(cup, "hen")
    log.write_bytes(newest)
    assert kept(cup) == whole


@pytest.mark.parametrize("link", ["bots/owl", "bots/fox/0123456789ab"])
def test_nothing_is_removed_through_a_link(link: str, cup: Path, tmp_path: Path) -> None:
    """A link among the bots is refused, and the folder that it leads to stays as it is."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    target = tmp_path / "elsewhere"
    (target / "0123456789ab").mkdir(parents=True)
    (cup / link).symlink_to(target)
    with pytest.raises(OSError, match="expected no link"):
        contests.run(cup)
    assert [*target.iterdir()] == [target / "0123456789ab"]


def test_a_stage_keeps_its_beacon(cup: Path, tmp_path: Path) -> None:
    """A stage that was begun with a beacon goes on with no other, before the contest is closed."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    with playing(), disk(Disk(9, Killed())), pytest.raises(Killed):
        contests.run(cup, "price 17.20")
    assert contests.events(cup)[-1] == {
        "type": "stage_started",
        "stage": 1,
        "beacon": "price 17.20",
    }
    with pytest.raises(UsageError, match=r"was begun with the beacon 'price 17\.20'"):
        contests.run(cup, "price 17.30")
    with opened(cup) as held, pytest.raises(UsageError, match="stage 1 is not finished"):
        held.close()
    contests.simulated(lambda: contests.run(cup))
    assert contests.events(cup)[-1]["type"] == "stage_finished"


@pytest.mark.parametrize("beacon", ["", "x" * 1001, "price\n17.20", "\x1b[31m"], ids=repr)
def test_a_text_that_is_no_beacon(beacon: str, cup: Path, tmp_path: Path) -> None:
    """A beacon has 1 to 1,000 printable characters, and others begin no stage."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    with pytest.raises(UsageError, match="--beacon: expected 1 to 1000 printable characters"):
        contests.run(cup, beacon)
    with opened(cup) as held:
        for text in ("x", "x" * 1000):
            stage = stages.next_stage(held, text)
            assert stage is not None
            assert stage.beacon == text
    assert contests.events(cup)[-1]["type"] == "entered"


def test_one_bot_is_entered_as_a_name(cup: Path, tmp_path: Path) -> None:
    """``--as`` names one bot, and not the first of several."""
    words = bots(tmp_path, "fox", "hen")
    with pytest.raises(BotsError, match="--as owl: expected one bot, found 2"):
        contests.enter(cup, words, "owl")
    assert contests.enter(cup, words[:1], "owl") == ["entered"]
    assert contests.events(cup)[-1]["name"] == "owl"


def test_a_stage_that_was_begun_goes_on(cup: Path, tmp_path: Path) -> None:
    """Its plan stays with its beacon, and its tournament has the options of the command."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    for beacon, used in (None, "no beacon"), ("4711", "the beacon '4711'"):
        with opened(cup) as held:
            stage = stages.next_stage(held, beacon)
            assert stage is not None
            assert not stages.is_played(held, stage)
            stages.begin(held, stage)
            stages.begin(held, stage)
            assert stages.next_stage(held, None) == stages.next_stage(held, beacon) == stage
            with pytest.raises(UsageError, match=f"was begun with {used}; expected this"):
                stages.next_stage(held, "4712")
            assert not stages.is_played(held, stage)
            players = stages.bots(held, stage)
            for chosen in (False, True):
                planned = stages.tournament(held, stage, players, "process", chosen, not chosen)
                assert (planned.cold, planned.durable) == (chosen, not chosen)
        contests.simulated(lambda: contests.run(cup))
        contests.enter(cup, bots(tmp_path, "owl"))


def test_a_stage_that_was_played_leaves_no_seed(cup: Path, tmp_path: Path) -> None:
    """After an interruption before its end, a stage is not played again, and its seed removed."""
    contests.enter(cup, bots(tmp_path, "fox", "hen"))
    killed = patch.object(stages, "finish", side_effect=Killed())
    with playing(), disk(Disk()), killed, pytest.raises(Killed):
        contests.run(cup)
    folder = cup / "stages/0001"
    before = kept(folder)
    (folder / layout.SEED).write_text("5" * 64)
    with patch("referee.tournament.play", side_effect=AssertionError):
        assert contests.run(cup) == 2
    assert kept(folder) == before
    assert contests.events(cup)[-1]["type"] == "stage_finished"


# --- interruptions -------------------------------------------------------------------------------


def steps(cup: Path, folder: Path) -> list[Callable[[], object]]:
    """The commands of a small contest, in order."""
    late = contests.bot(folder / "bots", "late")
    return [
        lambda: contests.enter(cup, bots(folder, "fox", "hen")),
        lambda: contests.run(cup, "one"),
        lambda: contests.enter(cup, [late]),
        lambda: contests.withdraw(cup, "hen"),
        lambda: contests.run(cup),
    ]


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """A contest that is killed at any write, and run again, has the same bytes in all files."""
    whole = contests.new(tmp_path / "whole")
    with playing(), disk(Disk()):
        for step in steps(whole, tmp_path):
            step()
    expected = kept(whole)
    kills = 0
    for at in count(0, STEP):
        cup = contests.new(tmp_path / "cup")
        one = Disk(at, Killed(), torn=at % 2 == 0)
        killed = False
        with playing():
            for step in steps(cup, tmp_path):
                try:
                    with disk(Disk() if killed else one):
                        step()
                except Killed:
                    killed = True
                    with disk(Disk()):
                        step()
        if not killed:
            break
        kills += 1
        assert kept(cup) == expected, at
        shutil.rmtree(cup)
    assert kills > 10


@pytest.mark.parametrize("at", range(0, 12, 1 if LONG_RUN else 3))
def test_killed_while_a_bot_is_copied(at: int, tmp_path: Path) -> None:
    """A copy that is not whole never gets its name, and the next command removes its remains."""
    cup = contests.new(tmp_path / "cup")
    words = bots(tmp_path, "fox", "hen")
    synced = 0

    def fail(path: Path) -> None:
        nonlocal synced
        synced += 1
        if synced > at:
            raise Killed

    remains = patch("schema.files.shutil.rmtree")
    with suppress(Killed), patch.object(schema_files, "sync", fail), remains:
        contests.enter(cup, words)
    for name in layout.BOTS, layout.STAGES:
        assert (cup / name).is_dir()
    contests.enter(cup, words)
    whole = contests.new(tmp_path / "whole")
    contests.enter(whole, words)
    assert kept(cup) == kept(whole)
