"""``koth contest``, and the other commands with a contest in the place of a tournament."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any, NoReturn

import pytest

from koth.cli import contest
from referee import tournament
from referee.contest import stages
from referee.contest.folder import opened
from schema import discovery as layout
from schema.discovery import logs
from schema.files import LINE_BYTES
from tests import contests
from tests.koth.commands import Koth
from tests.koth.conftest import missing
from tests.referee.bot_factory import FIRST, script
from tests.referee.test_contest import kept

LAST = "matches/1-000003.jsonl"
HEX = "0123456789abcdef" * 4


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a contest of two stages with simulated matches."""
    folder = tmp_path_factory.mktemp("contest")

    def hold() -> None:
        contests.new(folder / "cup")
        contests.enter(folder / "cup", ["examples/taxman", "examples/bandit"])
        contests.run(folder / "cup")
        contests.enter(folder / "cup", ["examples/mask"])
        contests.run(folder / "cup")

    contests.simulated(hold)
    return folder


def test_from_new_to_close(koth: Koth, tmp_path: Path) -> None:
    """A contest with real bots is held by six commands, and each says what it did."""
    cup = tmp_path / "cup"
    for name in ("fox", "hen", "owl"):
        script(tmp_path / "bots", f"{name}.sh", FIRST + "act")
    fox, hen, owl = (tmp_path / f"bots/{name}.sh" for name in ("fox", "hen", "owl"))
    settings = ["--set", "rounds=1", "--set", "max_calls=4"]
    made = koth("contest", "new", cup, "coup", *settings, "--seed", HEX, "--stages", 3)
    assert (made.code, made.out) == (0, "")
    assert koth("contest", "enter", cup, fox, hen).out == "fox: entered\nhen: entered\n"
    ran = koth("contest", "run", cup, "--beacon", "drand 4711")
    assert ran.code == 0
    said = (
        f"koth: stage 1 is finished; `koth contest standings {cup}` ranks the bots of the contest."
    )
    assert said in ran.err
    assert koth("contest", "enter", cup, owl, fox).out == "owl: entered\nfox: already in\n"
    entered = koth("contest", "enter", cup, owl, "--as", "hen")
    assert entered.out == "hen: revised\n"
    assert koth("contest", "withdraw", cup, "fox", "fox").out == "fox: withdrawn\n"
    assert koth("contest", "run", cup).code == 0
    assert koth("contest", "run", cup).err.endswith("no match is missing.\n")
    shown = koth("contest", "standings", cup, "--format", "json").json
    assert {row["name"] for row in shown["games"]["coup"]} == {"hen", "owl"}
    earlier = koth("contest", "standings", cup, "--at", 1, "--format", "json").json
    assert {row["name"] for row in earlier["games"]["coup"]} == {"fox", "hen"}
    rated = koth("contest", "standings", cup, "--rating").out
    assert "coup, rating" in rated
    closed = koth("contest", "close", cup)
    assert (closed.code, closed.err) == (0, f"koth: the contest in {cup} is closed.\n")
    assert koth("verify", cup).code == 0
    assert koth.complaint("contest", "enter", cup, fox) == f"{cup}: this contest is closed."
    assert koth.complaint("contest", "run", cup) == f"{cup}: this contest is closed."
    resumed = koth("resume", cup)
    assert (resumed.code, "already complete" in resumed.err) == (0, True)


def begin_stage(cup: Path) -> None:
    """Begin the next stage, and play none of its matches."""
    with opened(cup) as held:
        stage = stages.next_stage(held, "drand 4711")
        assert stage is not None
        stages.begin(held, stage)


def test_a_bot_under_another_name(koth: Koth, tmp_path: Path) -> None:
    """With ``--as`` the name of a bot's file need not be the name of a bot."""
    script(tmp_path, "my bot.sh", FIRST + "act")
    mine, cup = tmp_path / "my bot.sh", tmp_path / "cup"
    assert koth("contest", "new", cup, "coup", "--seed", HEX, "--stages", 3).code == 0
    told = koth.complaint("contest", "enter", cup, mine)
    assert told.startswith(f"{mine}: expected a name of 1 to 64 ")
    entered = koth("contest", "enter", cup, mine, "--as", "owl")
    assert (entered.code, entered.out) == (0, "owl: entered\n")
    assert koth("verify", cup).code == 0


def test_resume_plays_under_the_conditions_that_it_is_given(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every option of ``koth resume`` holds for the stage of a contest, too."""
    cup = contests.new(tmp_path / "cup")
    contests.enter(cup, ["examples/taxman", "examples/bandit"])
    begin_stage(cup)
    given: list[dict[str, object]] = []
    parameters = signature(contest.run)

    def run(*words: object, **options: object) -> None:
        given.append(parameters.bind(*words, **options).arguments)

    monkeypatch.setattr(contest, "run", run)
    switches = ["--durable", "--allow-broken"]
    values = {"jobs": 2, "isolation": "none", "bind": "x", "cluster": "c", "shared": tmp_path}
    options = [word for name, value in values.items() for word in (f"--{name}", value)]
    assert koth("resume", cup, *options, *switches).code == 0
    expected = {"folder": cup, "beacon": None, "durable": True, "allow_broken": True}
    assert given == [values | {"bind": ["x"]} | expected]


def test_a_stage_that_was_begun_cold_goes_on_so(koth: Koth, tmp_path: Path) -> None:
    """As a tournament does, although neither ``koth contest run`` nor ``koth resume`` says so."""
    cup = contests.new(tmp_path / "cup")
    contests.enter(cup, ["examples/taxman", "examples/bandit"])
    assert koth("contest", "run", cup, "--cold").code == 0
    [stage] = (cup / layout.STAGES).iterdir()
    for command in (["contest", "run"], ["resume"]):
        for log in (cup / layout.CONTEST, stage / layout.TOURNAMENT):  # as before the last event
            log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
        assert koth(*command, cup).code == 0
        runs = layout.evidence(stage / layout.TOURNAMENT).read_text().splitlines()
        assert all(json.loads(run)["cold"] for run in runs)
    assert len(runs) == 3


def test_resume_begins_no_stage(koth: Koth, tmp_path: Path) -> None:
    """``koth resume`` goes on with a stage and begins none, which may wait for its beacon."""
    cup = contests.new(tmp_path / "cup")
    contests.enter(cup, ["examples/taxman", "examples/bandit"])
    before = (cup / layout.CONTEST).read_bytes()
    resumed = koth("resume", cup)
    said = f"koth: {cup}: no stage was begun; `koth contest run {cup}` plays the next.\n"
    assert (resumed.code, resumed.err) == (0, said)
    assert (cup / layout.CONTEST).read_bytes() == before
    begin_stage(cup)
    assert koth("resume", cup).code == 0
    assert [event["type"] for event in contests.events(cup)[-2:]] == [
        "stage_started",
        "stage_finished",
    ]


def test_a_broken_bot_is_not_entered(koth: Koth, tmp_path: Path) -> None:
    """A bot that cannot start is refused when it is entered, unless this is allowed."""
    cup = contests.new(tmp_path / "cup")
    broken = tmp_path / "broken.py"
    broken.write_text("import nothing_of_this_name\n")
    before = (cup / layout.CONTEST).read_bytes()
    refused = koth.complaint("contest", "enter", cup, broken)
    assert "broken: ends at once" in refused
    assert (cup / layout.CONTEST).read_bytes() == before
    assert koth("contest", "enter", cup, broken, "--allow-broken").out == "broken: entered\n"


def test_a_program_that_no_stage_finds_is_not_entered(koth: Koth, tmp_path: Path) -> None:
    """A contest keeps the name of a program, not its path: PATH must have it at entry."""
    cup = contests.new(tmp_path / "cup")
    program = script(tmp_path / "opt", "koth_test_program", "#!/bin/sh\n" + FIRST + "act")
    program.chmod(0o755)
    (tmp_path / "data.txt").touch()
    listed = tmp_path / "bots.toml"
    listed.write_text(f'[[bots]]\nname = "fox"\ncommand = "{program} data.txt"\n')
    refused = koth.complaint("contest", "enter", cup, listed)
    assert refused.startswith("fox: there is no program koth_test_program on this machine")
    assert len(contests.events(cup)) == 1


def test_no_contest_replaces_the_working_folder(
    koth: Koth, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The working folder is refused, because a shell would be left in a removed folder."""
    monkeypatch.chdir(tmp_path)
    for folder in (".", tmp_path):
        assert "another folder than the working folder" in koth.complaint(
            "contest", "new", folder, "coup"
        )
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    {
        "no contest": (["run", "NONE"], "expected a contest, found no contest.jsonl there"),
        "in use": (["new", "CUP", "coup"], "expected a new or an empty folder"),
        "no such game": (["new", "NONE", "coop"], "no game is called 'coop'"),
        "the game first": (["new", "coup", "cup"], "`koth contest new cup coup`"),
        "no such bot": (["enter", "CUP", "nobody.py"], "there is no such bot"),
        "two under one name": (["enter", "CUP", "examples", "--as", "x"], "expected one bot"),
        "not entered": (["withdraw", "CUP", "nobody"], "no such bot was entered"),
        "no beacon": (["run", "CUP", "--beacon", ""], "expected 1 to 1000 printable"),
        "no such stage": (["standings", "CUP", "--at", "3"], "expected one of 2 finished stages"),
        "no contest to rank": (["standings", "STAGE"], "expected a contest, found none"),
        "its log alone": (["standings", "LOG"], "expected the folder of a contest, found only its"),
    }.values(),
)
def test_wrong_usage_is_explained(
    words: list[str], message: str, koth: Koth, played: Path, tmp_path: Path
) -> None:
    """A command that cannot be carried out says what it expected, and changes nothing."""
    cup = played / "cup"
    before = (cup / layout.CONTEST).read_bytes()
    paths = {"CUP": cup, "NONE": tmp_path / "none", "STAGE": cup / "stages/0001"}
    paths["LOG"] = cup / layout.CONTEST
    assert message in koth.complaint("contest", *(paths.get(word, word) for word in words))
    assert (cup / layout.CONTEST).read_bytes() == before
    assert not (tmp_path / "none").exists()


def test_the_commands_take_a_contest(koth: Koth, played: Path, tmp_path: Path) -> None:
    """Commands that take a tournament take a contest, while it is open."""
    cup = played / "cup"
    assert koth("verify", cup).out.endswith("9 logs: 9 verified\n")
    one = koth("audit", cup, "--rule", "log/stage_out_of_order")
    assert one.out.startswith("no findings in 9 logs")
    assert koth("sql", cup, "SELECT count(*) AS n FROM stages", "--format", "csv").out == "n\n2\n"
    assert "taxman" in koth("leaderboard", cup).out
    assert koth("faults", cup).code == 0
    assert koth("report", cup, "-o", tmp_path / "cup.html").code == 0
    page = (tmp_path / "cup.html").read_text()
    assert "Every stage was played by the bots that were in" in page
    assert "no rule is broken" in page
    assert "2/1-000003" in page
    assert "is not sealed" in koth("pack", cup, "-o", tmp_path / "archive").err


def test_the_bots_that_the_standings_leave_out(
    koth: Koth, played: Path, tmp_path: Path, one_rule: None
) -> None:
    """The table and the page name the bots that wait, and the page counts those that are ranked."""
    cup = shutil.copytree(played / "cup", tmp_path / "cup")
    contests.withdraw(cup, "taxman")
    contests.simulated(lambda: contests.enter(cup, ["examples/gambler"]))
    waiting = "atches of gambler are missing: this is the table after stage 2."
    command = f"`koth contest run {cup}` plays them."
    assert koth("contest", "standings", cup).err == f"koth: m{waiting} {command}\n"
    assert koth("report", cup, "-o", tmp_path / "cup.html").code == 0
    page = (tmp_path / "cup.html").read_text()
    assert f"M{waiting}" in page
    assert "3 bots played 6 matches, and 2 of them are ranked" in page


def test_a_contest_without_seeds_has_no_later_stage(koth: Koth, tmp_path: Path) -> None:
    """If its seeds are used up, standings name no command, and `close` the bots left out."""

    def hold() -> None:
        cup = contests.new(tmp_path / "cup", stages=1)
        contests.enter(cup, ["examples/taxman", "examples/bandit"])
        contests.run(cup)
        contests.enter(cup, ["examples/mask"])

    contests.simulated(hold)
    told = koth("contest", "standings", tmp_path / "cup").err
    assert told.endswith(
        "stage 1. No stage can play them: the seeds of this contest are used up.\n"
    )
    assert "is used up" in koth.complaint("contest", "run", tmp_path / "cup")
    closed = koth("contest", "close", tmp_path / "cup").err
    assert closed.endswith("is closed. Matches of mask were not played.\n")


def test_standings_are_those_of_one_contest(koth: Koth, played: Path, tmp_path: Path) -> None:
    """Several contests, and a contest with another tournament, are refused in every form."""
    cup = tmp_path / "both/cup"
    shutil.copytree(played / "cup", cup)
    koth("contest", "close", cup)
    alone = koth("contest", "standings", cup).out
    packed, mixed, one = (tmp_path / name for name in ("packed", "mixed", "one"))
    assert koth("pack", cup, "-o", one).code == 0
    assert koth("contest", "standings", one).out == alone
    assert koth("contest", "standings", one / "cup.jsonl.zst").out == alone
    shutil.copytree(played / "cup/stages/0001", tmp_path / "with/spring")
    assert koth("pack", cup, tmp_path / "with/spring", "-o", mixed).code == 0
    shutil.copytree(cup, tmp_path / "with/cup")
    for path in (mixed, tmp_path / "with"):
        refused = koth.complaint("contest", "standings", path)
        assert "expected the log of a stage of the contest, found another" in refused
        assert "spring" in refused
    shutil.copytree(cup, tmp_path / "both/other")
    assert koth("pack", cup, tmp_path / "both/other", "-o", packed).code == 0
    for path in (packed, tmp_path / "both"):
        refused = koth.complaint("contest", "standings", path)
        assert "expected one contest, found 2: " in refused


def test_standings_of_a_damaged_contest(koth: Koth, played: Path, tmp_path: Path) -> None:
    """A contest whose log or bundle cannot be read is a finding, and not taken for none."""
    cup = shutil.copytree(played / "cup", tmp_path / "cup")
    log = cup / layout.CONTEST
    log.write_bytes(log.read_bytes().replace(b'"seq":2,', b'"seq":3,'))
    refused = koth.complaint("contest", "standings", cup, code=1)
    assert refused.startswith(f"{log}: expected the log of a contest, found it corrupt: line 3: ")
    bundle = tmp_path / "cup.jsonl.zst"
    bundle.write_bytes(b"no bundle")
    refused = koth.complaint("contest", "standings", bundle, code=1)
    assert f"{bundle}: expected the log of a contest, found it corrupt: the bundle is" in refused


def test_standings_say_which_logs_they_lack(koth: Koth, played: Path, tmp_path: Path) -> None:
    """A stage, match or tournament's log that is removed or not given is said; nothing else is."""
    cup = tmp_path / "cup"
    shutil.copytree(played / "cup", cup)
    assert missing(cup) == []
    [alone] = missing(cup / layout.CONTEST)
    assert alone.startswith("8 of 8 logs of its stages are not among those given; ")
    (cup / "stages/0002/matches/1-000000.jsonl").unlink()
    lacks = "of 8 logs of its stages {} not among those given; `koth verify "
    lacks += f"{cup}` says more."
    for words in (["contest", "standings"], ["contest", "standings", "--rating"], ["leaderboard"]):
        ranked = koth(*words, cup)
        assert (ranked.code, ranked.err) == (0, f"koth: 1 {lacks.format('is')}\n")
        assert "taxman" in ranked.out
    assert koth("contest", "standings", cup, "--at", 1).err == ""
    (cup / "stages/0002/tournament.jsonl").unlink()
    assert missing(cup) == [f"2 {lacks.format('are')}"]
    shutil.rmtree(cup / "stages/0002")
    assert missing(cup) == [f"5 {lacks.format('are')}"]
    shutil.copytree(played / "cup/stages/0002", cup / "stages/0002")
    (cup / "stages/0002/matches/1-000000.jsonl").write_text("{}\n")
    unread = koth("contest", "standings", cup).err
    assert unread == "koth: 1 of 9 files could not be read; `koth audit` lists them.\n"


def test_a_closed_contest_is_packed(koth: Koth, played: Path, tmp_path: Path) -> None:
    """A closed contest becomes one bundle, which verifies and unpacks to the same bytes."""
    cup = tmp_path / "cup"
    shutil.copytree(played / "cup", cup)
    koth("contest", "close", cup)
    archive = tmp_path / "archive"
    assert koth("pack", cup, "-o", archive).code == 0
    assert koth("pack", cup, "-o", archive).code == 0
    assert koth("verify", archive).out.endswith("9 logs: 9 verified\n")
    assert "taxman" in koth("leaderboard", archive).out
    assert koth("unpack", archive, "-o", tmp_path / "again").code == 0
    for path in cup.rglob("*"):
        if path.is_file():
            assert (
                tmp_path / "again/cup" / path.relative_to(cup)
            ).read_bytes() == path.read_bytes()


def test_the_files_of_bots_are_packed_whatever_they_are(koth: Koth, tmp_path: Path) -> None:
    """A bot's file may have a log's or a seed's name, and a line longer than that of any log."""
    cup, folder = contests.new(tmp_path / "cup"), tmp_path / "odd"
    contests.bot(folder, "main")
    for name in ("seed.private", "seeds.private", "matches/1.jsonl", "evidence/2.jsonl"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(name)
    (folder / "model").write_bytes(b"x" * (LINE_BYTES + 1))
    contests.enter(cup, [str(folder)])
    koth("contest", "close", cup)
    archive, bots = tmp_path / "archive", {path.name for path in folder.rglob("*.*")}
    for _ in range(2):
        assert koth("pack", cup, "-o", archive).code == 0
    assert koth("verify", archive).out.endswith("1 log: 1 verified\n")
    assert koth("unpack", archive, "-o", tmp_path / "again").code == 0
    assert {path.name for path in (tmp_path / "again/cup/bots").rglob("*.*")} == bots
    [model] = (cup / "bots/odd").glob("*/model")
    with model.open("ab") as file:
        file.truncate(1 << 40)
    refused = koth.complaint("pack", cup, "-o", archive)
    assert f"{model}: expected up to 16 MiB, as a bot has, found more" in refused


def test_bots_are_asked_again_from_the_contest(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``koth reask`` takes the bots of a match from its contest, by name and hash, and examples."""
    cup = tmp_path / "cup"
    script(tmp_path / "bots", "fox.sh", FIRST + "act")
    koth("contest", "new", cup, "coup", "--set", "rounds=1", "--set", "max_calls=4")
    koth("contest", "enter", cup, tmp_path / "bots/fox.sh", "examples/lawyer")
    koth("contest", "run", cup)
    (tmp_path / "bots/fox.sh").unlink()
    match = cup / "stages/0001/matches/1-000000.jsonl"
    assert "0 of them other than recorded" in koth("reask", match).out
    monkeypatch.chdir(match.parent)
    assert "0 of them other than recorded" in koth("reask", match.name).out
    shutil.copy(match, tmp_path / "match.jsonl")
    alone = koth("reask", tmp_path / "match.jsonl")
    assert "not asked, because their bots are not there: fox." in alone.err
    assert "0 of them other than recorded; 1 of 1 bot is reproducible" in alone.out


def test_matches_play_again_without_the_bots_of_their_contest(koth: Koth, tmp_path: Path) -> None:
    """The example bots and the named bots count if a bundle, or a folder without bots, has none."""
    cup, fox = tmp_path / "cup", script(tmp_path / "bots", "fox.sh", FIRST + "act")
    koth("contest", "new", cup, "coup", "--set", "rounds=1", "--set", "max_calls=4")
    koth("contest", "enter", cup, fox, "examples/lawyer")
    koth("contest", "run", cup)
    koth("contest", "close", cup)
    koth("pack", cup, "-o", tmp_path / "archive")
    shutil.copytree(cup / "stages", tmp_path / "stages")
    match = "stages/0001/matches/1-000000.jsonl"
    assert koth("blame", cup / match, "--seat", 1).code == 0
    for log in (tmp_path / "archive/cup.jsonl.zst" / match, tmp_path / match):
        assert koth("again", log, "examples/lawyer").code == 0
        refused = koth.complaint("blame", log, "--seat", 1)
        assert "seat 0, fox: expected a bot with the hash" in refused
        assert koth("blame", log, "--seat", 1, "--bots", fox).code == 0
    shutil.rmtree(cup / "bots")
    assert koth("again", cup / match, "examples/lawyer").code == 0
    assert koth("blame", cup / match, "--seat", 1, "--bots", fox).code == 0


@pytest.mark.parametrize("words", [["replay"], ["explain"], ["export", "transcript"]])
def test_the_log_of_a_contest_has_no_rules(
    words: list[str], koth: Koth, played: Path, tmp_path: Path
) -> None:
    """Commands that re-run one log say that a contest's own log has no rules, closed or not."""
    cup = shutil.copytree(played / "cup", tmp_path / "cup")
    expected = "expected the log of a match or a tournament, found that of a contest"
    assert expected in koth.complaint(*words, cup / layout.CONTEST)
    assert koth("contest", "close", cup).code == 0
    assert expected in koth.complaint(*words, cup / layout.CONTEST)


def test_verifying_a_contest_beside_a_folder_without_logs(
    koth: Koth, played: Path, tmp_path: Path
) -> None:
    """The verdict on the contest is printed all the same; a path that is not there is refused."""
    cup = shutil.copytree(played / "cup", tmp_path / "cup")
    empty = tmp_path / "empty"
    empty.mkdir()
    verified = koth("verify", cup, empty)
    assert (verified.code, verified.out.count("verified  ")) == (0, len(logs([cup])))
    assert verified.err == f"koth: {empty}: expected a log (*.jsonl), found none.\n"
    (cup / "stages/0002" / LAST).unlink()
    assert koth("verify", cup, empty).code == 1
    assert "there is no such file or folder" in koth.complaint("verify", cup, tmp_path / "other")


def test_a_link_to_an_empty_folder(koth: Koth, tmp_path: Path) -> None:
    """A contest is made where it leads, as a tournament is."""
    place, link = tmp_path / "place", tmp_path / "link"
    place.mkdir()
    link.symlink_to(place)
    assert koth("contest", "new", link, "coup", "--seed", 1).code == 0
    assert (place / layout.CONTEST).is_file()
    assert link.is_symlink()


@pytest.mark.parametrize("begun", [False, True])
def test_what_workers_left_is_removed(koth: Koth, tmp_path: Path, begun: bool) -> None:
    """A stage whose client was killed before its first match, or later, goes on without it."""
    cup = contests.new(tmp_path / "cup")
    contests.enter(cup, ["examples/taxman", "examples/bandit"])
    if begun:
        assert koth("contest", "run", cup).code == 0
        for log in (cup / layout.CONTEST, cup / "stages/0001" / layout.TOURNAMENT):
            log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    left = cup / "stages/0001/.away-0123456789abcdef"
    left.mkdir(parents=True)
    (left / "1").touch()
    assert koth("contest", "run", cup).code == 0
    assert not left.exists()
    assert koth("verify", cup).code == 0


def test_a_stage_is_resumed_as_part_of_its_contest(
    koth: Koth, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``koth resume`` on a stage names the command that goes on, as long as the contest is open."""
    cup = Path(shutil.copytree(played / "cup", tmp_path / "cup"))
    monkeypatch.chdir(cup / "stages/0002/matches")
    for stage in (cup / "stages/0002", Path("..")):
        refused = koth.complaint("resume", stage)
        expected = f"is a stage of a contest. `koth contest run {cup}` goes on with it."
        assert refused == f"{stage}: {expected}"
    assert koth("contest", "close", cup).code == 0
    done = koth("resume", cup / "stages/0002")
    assert (done.code, "already complete" in done.out + done.err) == (0, True)


def cut(cup: Path, lines: int) -> bytes:
    """Remove the last lines of the contest's log; return the log before."""
    log = cup / layout.CONTEST
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:-lines]))
    return whole


def test_a_played_stage_is_finished(koth: Koth, played: Path, tmp_path: Path) -> None:
    """A stage that has its seal is finished as it is, if the command that played it was killed."""
    cup = shutil.copytree(played / "cup", tmp_path / "cup")
    whole = cut(cup, 1)
    assert koth("contest", "run", cup).code == 0
    assert (cup / layout.CONTEST).read_bytes() == whole


def test_a_stopped_run_names_the_command_that_goes_on(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupted stage is finished by the command that the interrupt prints."""
    cup = contests.new(tmp_path / "my cup")
    contests.simulated(lambda: contests.enter(cup, ["examples/taxman", "examples/bandit"]))
    played = tournament.play

    def stop(planned: Any, *rest: Any) -> NoReturn:
        played(planned, *rest)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(tournament, "play", stop)
        stopped = koth("contest", "run", cup)
    assert stopped.code == 130
    command = f"koth contest run '{cup}'"
    assert f"koth: stopped; `{command}` goes on.\n" in stopped.err
    assert koth(*shlex.split(command)[1:]).code == 0
    assert koth("verify", cup).code == 0


def only_notes(stage: Path) -> None:
    """Leave nothing in the folder of a stage but a file of the user's."""
    shutil.rmtree(stage)
    stage.mkdir()
    (stage / "notes.txt").touch()


@pytest.mark.parametrize(
    ("change", "message"),
    {
        "match replaced": (
            lambda stage: shutil.copy(stage / "matches/1-000001.jsonl", stage / LAST),
            "1-000003.jsonl: match: the tournament's log says",
        ),
        "match added": (
            lambda stage: shutil.copy(stage / LAST, stage / "matches/9-000000.jsonl"),
            "9-000000.jsonl: added",
        ),
        "match removed": (lambda stage: (stage / LAST).unlink(), "1-000003.jsonl: missing"),
        "match damaged": (
            lambda stage: (stage / LAST).write_bytes((stage / LAST).read_bytes()[:-1]),
            "1-000003.jsonl is incomplete",
        ),
        "another stage": (
            lambda stage: (
                stage.rename(stage.with_name("old")),
                shutil.copytree(stage.parent / "0001", stage),
            ),
            "tournament: expected 'cup/0002', found 'cup/0001'",
        ),
        "no tournament": (
            lambda stage: (stage / layout.TOURNAMENT).unlink(),
            "expected tournament.jsonl beside evidence/1-000000.jsonl, found none. Put it back",
        ),
        "other files": (
            only_notes,
            "expected tournament.jsonl beside notes.txt, found none. Put it back",
        ),
        "link": (
            lambda stage: stage.symlink_to(stage.rename(stage.parent.parent / "2")),
            "expected no link, found one",
        ),
    }.values(),
)
def test_a_stage_that_was_changed_is_not_finished(
    change: Callable[[Path], object], message: str, koth: Koth, played: Path, tmp_path: Path
) -> None:
    """The end of a stage is recorded, and its seed revealed, only if its files are as they were."""
    cup = shutil.copytree(played / "cup", tmp_path / "cup")
    cut(cup, 1)
    change(cup / "stages/0002")
    before = (cup / layout.CONTEST).read_bytes()
    ran = koth("contest", "run", cup)
    assert message in ran.err
    assert ran.code
    assert (cup / layout.CONTEST).read_bytes() == before


@pytest.mark.parametrize("linked", ["", "matches", "evidence"])
def test_a_stage_is_played_through_no_link(
    linked: str, koth: Koth, played: Path, tmp_path: Path
) -> None:
    """A stage whose folder, or whose folder of logs, is a link is refused with its path."""
    cup, outside = shutil.copytree(played / "cup", tmp_path / "cup"), tmp_path / "outside"
    outside.mkdir()
    cut(cup, 1)
    stage = cup / "stages/0002"
    if linked:
        own = stage / layout.TOURNAMENT
        own.write_bytes(b"".join(own.read_bytes().splitlines(keepends=True)[:1]))
    shutil.rmtree(stage / linked)
    (stage / linked).symlink_to(outside)
    told = koth.complaint("contest", "run", cup, code=4)
    assert f"{stage / linked}: expected no link, found one" in told
    assert [*outside.iterdir()] == []


@pytest.mark.parametrize("lines", [2, 3, 4])
def test_a_log_older_than_its_stages_is_refused(
    lines: int, koth: Koth, played: Path, tmp_path: Path
) -> None:
    """No command goes on with an older log of a contest, and no file of a bot is removed."""
    cup = shutil.copytree(played / "cup", tmp_path / "cup")
    cut(cup, lines)
    before = kept(cup)
    for words in (["run", "--beacon", "other"], ["run"], ["enter", "examples/mask"], ["close"]):
        refused = koth.complaint("contest", words[0], cup, *words[1:])
        assert "stages, as contest.jsonl has, found one more. Put the newest" in refused
    assert kept(cup) == before
