"""Output, output stream and exit code of the commands."""

from __future__ import annotations

import re
import shutil
from contextlib import AbstractContextManager
from pathlib import Path

import orjson
import pytest

from referee import match
from schema import registry, rulebook
from tests.factories import SEED, loads, write
from tests.koth.commands import Koth
from tests.referee.bot_factory import FIRST, LATER, script
from tests.replay.edits import edited
from tests.replay.log_factory import SHORT, hex_seed, short, tournament_folder

SHORTEST = ("--set", "rounds=1", "--set", "max_calls=1", "--seed", SEED)


@pytest.fixture
def bots(tmp_path: Path) -> tuple[Path, Path]:
    """An honest bot, and one that crashes in its second call."""
    folder = tmp_path / "bots"
    return script(folder, "honest.sh", FIRST + "act"), script(folder, "weak.sh", LATER + "exit 1")


def test_the_version(koth: Koth) -> None:
    """``--version`` is one line."""
    typed = koth("--version")
    assert (typed.code, typed.err) == (0, "")
    assert typed.out.startswith("koth ")
    assert typed.out.count("\n") == 1


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["verify", "--help"], ["play", "-h"]])
def test_the_help(words: list[str], koth: Koth) -> None:
    """Help goes to standard output."""
    typed = koth(*words)
    assert (typed.code, typed.err) == (0, "")
    assert typed.out.startswith("Usage: ")


def test_no_command_at_all(koth: Koth) -> None:
    """Without a command the help is shown, as wrong usage."""
    typed = koth()
    assert (typed.code, typed.out) == (2, "")
    assert "verify" in typed.err


def test_games(koth: Koth) -> None:
    """``koth games`` prints one line per game."""
    typed = koth("games")
    assert (typed.code, typed.err) == (0, "")
    assert "\ncoup  coup/2  file  Coup for two\n" in typed.out


@pytest.mark.parametrize("game", ["coup", "bank_heist", "smallest_unique", "coins"])
def test_one_game(game: str, koth: Koth) -> None:
    """``koth games GAME`` shows its settings with defaults, and what to type next works."""
    typed = koth("games", game)
    assert (typed.code, typed.err) == (0, "")
    card = registry.card(game)
    assert typed.out.startswith(f"{card.title} ({game})\n")
    for name, default in card.settings({}).model_dump().items():
        assert re.search(rf"^  {name} +{default}  ", typed.out, re.M)
    for command in re.findall(r"`koth (.+?)`", typed.out):
        assert koth(*command.split()).code == 0
    *words, _ = typed.out.splitlines()[-1].removeprefix("$ koth ").split()
    assert words[:2] == ["play", game]
    least = card.seats[0]
    assert len(words) - 3 == (
        card.settings({}).model_dump()[least] if type(least) is str else least
    )


def test_bots(koth: Koth) -> None:
    """``koth bots`` prints one line per bot, with its description."""
    typed = koth("bots", "coup")
    assert (typed.code, typed.err) == (0, "")
    lines = typed.out.splitlines()
    assert len(lines) >= 11
    assert any(line.startswith("taxman ") and line.endswith(".") for line in lines)


def test_the_processes_of_bots(koth: Koth, tmp_path: Path) -> None:
    """``koth bots GAME BOT…`` says which bots share a process, and shows what the others lack."""
    mine = tmp_path / "mine.py"
    mine.write_text("import sys\nimport time\nprint(sys.argv[1])\n")
    typed = koth("bots", "coup", "examples/taxman", mine)
    assert (typed.code, typed.err) == (0, "")
    assert typed.out == ("taxman  shared\nmine    one per decision  line 2: import time\n")


def test_the_rulebook(koth: Koth) -> None:
    """``koth rules`` prints the whole rulebook as it is."""
    typed = koth("rules", "coup")
    assert (typed.code, typed.err) == (0, "")
    assert typed.out == registry.card("coup").rulebook.read_text()


@pytest.mark.parametrize("number", [f"CP-{number}" for number in range(1, 21)])
def test_a_clause(number: str, koth: Koth) -> None:
    """``koth rules coup CP-…`` prints that clause, however its number is written."""
    text = rulebook.clauses(registry.card("coup"))[number]
    assert koth("rules", "coup", number).out == f"{number}  {text}\n"
    assert koth("rules", "coup", number.lower()).out == f"{number}  {text}\n"


def test_the_schema(koth: Koth) -> None:
    """``koth schema`` prints JSON Schema: of one game, or of each."""
    one = koth("schema", "coup")
    assert (one.code, one.err) == (0, "")
    assert one.json["$schema"].startswith("https://json-schema.org/")
    assert {"MatchStarted", "Dealt", "Settings"} <= set(one.json["$defs"])
    assert koth("schema").json["coup"] == one.json


# --- play, tournament ----------------------------------------------------------------------------


def test_play(koth: Koth, bots: tuple[Path, Path], tmp_path: Path) -> None:
    """``koth play`` writes a log that verifies, and tells the result on standard error."""
    path = tmp_path / "log.jsonl"
    typed = koth("play", "coup", *bots, "-o", path, "--seed", "AB" * 20)
    assert (typed.code, typed.out) == (0, "")
    told = f"koth: 1 fault: weak 1 crash; see `koth faults {path}`.\n"
    assert typed.err == f"{path}: forfeit; honest 1, weak 0\n{told}"
    events = loads(path.read_bytes())
    assert events[-1]["seed"] == ("ab" * 20).zfill(64)
    assert koth("verify", path).code == 0


@pytest.mark.parametrize("command", ["play", "tournament", "contest", "resume"])
def test_cold_and_durable_reach_each_match(
    command: str,
    koth: Koth,
    bots: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each match is played as the options say, and otherwise warm and without syncing."""
    jobs, open_match = list[match.MatchJob](), match.open_match

    def watched(job: match.MatchJob) -> AbstractContextManager[match.OpenMatch]:
        jobs.append(job)
        return open_match(job)

    monkeypatch.setattr(match, "open_match", watched)
    cold = [] if command == "resume" else ["--cold"]  # it goes on as it was begun
    for options in ([], ["--durable"], cold):
        place = tmp_path / f"new{len([*tmp_path.iterdir()])}"
        words = [command, "coup", *bots, "-o", place, *SHORTEST]
        if command == "contest":
            assert koth("contest", "new", place, "coup", *SHORTEST).code == 0
            assert koth("contest", "enter", place, *bots).code == 0
            words = ["contest", "run", place]
        if command == "resume":
            assert koth("tournament", *words[1:]).code == 0
            log = place / "tournament.jsonl"
            log.write_bytes(log.read_bytes().splitlines(keepends=True)[0])
            (place / "seed.private").write_text(SEED)
            shutil.rmtree(place / "matches")
            words = ["resume", place, *bots]
        jobs.clear()
        assert koth(*words, *options).code == 0
        assert {(job.cold, job.durable) for job in jobs} == {
            ("--cold" in options, "--durable" in options)
        }


def test_play_draws_a_seed(koth: Koth, bots: tuple[Path, Path], tmp_path: Path) -> None:
    """Without ``--seed`` each match has its own."""
    paths = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for path in paths:
        assert koth("play", "coup", *bots, "-o", path, "--set", "max_calls=1").code == 0
    one, two = (loads(path.read_bytes())[-1]["seed"] for path in paths)
    assert one != two


def test_settings_are_played_by(koth: Koth, bots: tuple[Path, Path], tmp_path: Path) -> None:
    """``--set`` may be given again; what it sets is in the log."""
    path = tmp_path / "log.jsonl"
    options = ["--set", "max_calls=1", "--set", "time_limit_s=5"]
    assert "drawn" in koth("play", "coup", *bots, "-o", path, *options).err
    settings = loads(path.read_bytes())[0]["settings"]
    assert settings == {"rounds": 10, "time_limit_s": 5, "max_calls": 1, "mirrored": 0}


def test_tournament(koth: Koth, bots: tuple[Path, Path], tmp_path: Path) -> None:
    """``koth tournament`` prints the final table, and where the logs are on standard error."""
    folder = tmp_path / "cup"
    options = ["--seed", SEED, "--set", "rounds=1", "--name", "Cup"]
    typed = koth("tournament", "coup", *bots, "-o", folder, *options)
    told = f"koth: 2 faults: weak 2 crash; see `koth faults {folder}`.\n"
    assert (typed.code, typed.err) == (0, f"koth: tournament Cup is in {folder}.\n{told}")
    assert typed.out == "1. honest: 2 (2 games)\n2. weak: 0 (2 games, 2 faults: 2 crash)\n"
    assert koth("verify", folder).out.endswith("3 logs: 3 verified\n")


# --- verify, replay, explain, diff ---------------------------------------------------------------


def test_verify_a_folder(koth: Koth, tmp_path: Path) -> None:
    """All logs of a folder are verified; evidence is none of them."""
    tournament_folder(tmp_path)
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / "1-000000.jsonl").write_text("{}\n")
    typed = koth("verify", tmp_path)
    assert (typed.code, typed.err) == (0, "")
    assert typed.out.endswith("13 logs: 13 verified\n")


@pytest.mark.parametrize("jobs", [1, 2])
def test_verify_names_the_bad_log(jobs: int, koth: Koth, tmp_path: Path) -> None:
    """One bad log among good ones ends with 1, and is named with its line."""
    tournament_folder(tmp_path / "cup")
    bad = write(tmp_path / "cup" / "bad.jsonl", edited(short(), 1, "coins[0]", 3), hex_seed(SHORT))
    typed = koth("verify", tmp_path, "--jobs", jobs)
    assert (typed.code, typed.err) == (1, "")
    assert f"diverged  {bad}:2: event 1, field coins[0]: recorded 3, recomputed 1" in typed.out
    assert typed.out.endswith("14 logs: 1 diverged, 13 verified\n")


def test_verify_as_json(koth: Koth, log: Path, tmp_path: Path) -> None:
    """``--format json`` is one object with its format, every log, and counts."""
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(log.read_bytes()[:-1])
    typed = koth("verify", log, bad, "--format", "json")
    assert (typed.code, typed.err) == (1, "")
    assert typed.json["format"] == "koth-verify/1"
    assert typed.json["counts"] == {"incomplete": 1, "verified": 1}
    assert [(one["path"], one["verdict"]) for one in typed.json["logs"]] == [
        (str(log), "verified"),
        (str(bad), "incomplete"),
    ]


def test_a_log_given_twice_is_verified_once(koth: Koth, log: Path) -> None:
    """A file that is named and also found in a folder is one log."""
    assert koth("verify", log, log.parent, log).out.endswith("1 log: 1 verified\n")


def test_replay(koth: Koth, log: Path) -> None:
    """``koth replay`` shows the last state, or that at an event, after the event's sentence."""
    last, fifth = koth("replay", log), koth("replay", log, "--at", "5")
    assert (last.code, last.err, fifth.code, fifth.err) == (0, "", 0, "")
    assert last.out.splitlines()[1].startswith('event 19: {"type":"match_finished"')
    sentence, event, *_ = fifth.out.splitlines()
    assert event.startswith("event 5: ")
    shown = koth("replay", log, "--at", 5, "--format", "json").json
    assert (shown["format"], shown["seq"]) == ("koth-replay/1", 5)
    assert shown["sentence"] == sentence == koth("explain", log, 5).out.splitlines()[1]


def test_replay_of_a_log_that_diverges(koth: Koth, tmp_path: Path) -> None:
    """Behind a divergence there is no state to show: a finding."""
    bad = write(tmp_path / "bad.jsonl", edited(short(), 1, "coins[0]", 3), hex_seed(SHORT))
    told = koth.complaint("replay", bad, code=1)
    assert told.startswith(f"{bad}:2: the log diverges at event 1")
    assert koth("replay", bad, "--at", "0").code == 0


def test_explain(koth: Koth, log: Path) -> None:
    """``koth explain`` shows the ruling as text or as JSON."""
    typed = koth("explain", log, 1)
    assert (typed.code, typed.err) == (0, "")
    assert "CP-1  " in typed.out
    assert "sha256sum" in typed.out
    shown = koth("explain", log, "1", "--format", "json").json
    assert (shown["format"], shown["clause"]) == ("koth-explain/1", "CP-1")


def test_diff(koth: Koth, log: Path, tmp_path: Path) -> None:
    """``koth diff`` ends with 0 when there is no difference, and with 1 when there is."""
    same = koth("diff", log, log)
    assert (same.code, same.out, same.err) == (0, "no difference\n", "")
    other = write(tmp_path / "other.jsonl", edited(short(), 2, "ask", "close"), hex_seed(SHORT))
    typed = koth("diff", log, other)
    assert (typed.code, typed.err) == (1, "")
    assert typed.out.startswith("first difference: line 3, event 2, field ask\n")
    shown = koth("diff", log, other, "--format", "json")
    assert (shown.code, shown.json["format"], shown.json["seq"]) == (1, "koth-diff/1", 2)


def test_json_is_the_only_thing_on_standard_output(koth: Koth, tmp_path: Path) -> None:
    """``--format json`` prints one JSON object and a newline."""
    tournament_folder(tmp_path)
    path = tmp_path / "tournament.jsonl"
    for words in (
        ["verify", tmp_path],
        ["replay", path],
        ["explain", path, 1],
        ["diff", path, path],
    ):
        out = koth(*words, "--format", "json").out
        assert out.endswith("}\n")
        assert str(orjson.loads(out)["format"]).startswith(f"koth-{words[0]}/")
    assert SEED in path.read_text()


def test_a_tournament_tells_who_was_disqualified(koth: Koth, tmp_path: Path) -> None:
    """A disqualification is printed with fault and match, then that the attempt is void."""
    (tmp_path / "bad.py").write_text(
        "class Bad:\n    def __init__(self, index): pass\n"
        "    def select(self): raise ValueError\n    def update(self, choices): pass\n"
    )
    bots = [tmp_path / "bad.py", "examples/cycler"]
    settings = ["--set", "seats=2", "--set", "rounds=1", "--set", "games_per_entrant=1"]
    typed = koth("tournament", "smallest_unique", *bots, "-o", tmp_path / "cup", *settings)
    assert (typed.code, typed.out) == (0, "")
    log = tmp_path / "cup" / "matches" / "1-000000.jsonl"
    ruling = f"koth: bad was disqualified: crash in {log}.\n"
    assert f"{ruling}koth: Attempt 1 with 1 match does not count (disqualified).\n" in typed.err
    assert "koth: no final table: too few bots are left.\n" in typed.err
