"""Bad usage: one clear sentence, exit code 2 (or 3), never a traceback."""

from __future__ import annotations

import os
import re
import shutil
from operator import itemgetter
from pathlib import Path

import pytest

from koth.cli.main import status
from schema import discovery as layout
from schema.log_path import path_text
from tests.golden.make import HERE
from tests.koth.commands import Koth
from tests.referee.bot_factory import FIRST, contents, script

BOTS = ("examples/taxman", "examples/lawyer")
TOURNAMENT = HERE / "coup-2/tournament_with_a_shared_rank.jsonl"
CUP = HERE.parent / "corpus/honest_tournament_of_coup"
LOG_COMMANDS = {"verify": [], "replay": [], "explain": ["1"], "diff": ["LOG"]}
"""The commands that take a log, and what else they need."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of a tournament."""
    folder = tmp_path_factory.mktemp("packed") / "archive"
    assert status(["pack", str(CUP), "-o", str(folder)]) == 0
    return folder


def words(command: str, path: Path) -> list[object]:
    """A command on a log, with all that it needs."""
    return [command, path, *(path if word == "LOG" else word for word in LOG_COMMANDS[command])]


@pytest.mark.parametrize(
    "typed", ["verify", "sql", "pack -o new", "play coup", "contest run", "keygen"]
)
def test_an_empty_word(typed: str, koth: Koth, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty argument, as of a shell variable that is not set, is not the current folder."""
    monkeypatch.chdir(CUP)
    assert "expected no empty word, found one" in koth.complaint(*typed.split(), "")


@pytest.mark.parametrize(
    "typed",
    [
        "pack . -o ",
        "play coup examples/taxman examples/taxman --bind ",
        "play coup examples/taxman examples/taxman --bind=",
        "verify . --cluster local --shared=",
    ],
)
def test_an_option_without_its_path(
    typed: str, koth: Koth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty path of an option is not the current folder either; an empty answer is allowed."""
    monkeypatch.chdir(CUP)
    assert "expected no empty word, found one" in koth.complaint(*typed.split(" "))
    assert koth("replay", "matches/1-000000.jsonl", "--at", 3, "--answer", "").code == 0


@pytest.mark.parametrize(
    "command", ["verify", "replay", "explain", "pack -o new", "unpack -o new", "resume"]
)
def test_a_mistyped_path(command: str, koth: Koth, tmp_path: Path) -> None:
    """A path that does not exist gets the most similar name of its folder."""
    (tmp_path / "spring").mkdir()
    told = koth.complaint(*command.split(), tmp_path / "sprnig")
    assert re.search(r"there is no such (file or )?folder\. Did you mean '.*/spring'\?$", told)


@pytest.mark.parametrize("command", ["resume", "pack -o archive"])
def test_a_link_that_leads_nowhere_is_not_what_was_meant(
    command: str, koth: Koth, tmp_path: Path
) -> None:
    """A link that leads nowhere is in its folder, and is not suggested in its own place."""
    (tmp_path / "spring").symlink_to("gone")
    told = koth.complaint(*command.split(), tmp_path / "spring")
    assert told.endswith(": there is no such folder.")


@pytest.mark.parametrize("command", LOG_COMMANDS)
def test_no_such_file(command: str, koth: Koth, tmp_path: Path) -> None:
    """A log that does not exist is named."""
    told = koth.complaint(*words(command, tmp_path / "gone.jsonl"))
    assert str(tmp_path / "gone.jsonl") in told


@pytest.mark.parametrize(
    "command", ["verify", "explain", "resume", "contest close", "unpack -o new", "keygen -o"]
)
def test_a_name_that_is_too_long(command: str, koth: Koth) -> None:
    """A name that no file can have is wrong usage, as a path that does not exist is."""
    assert "File name too long" in koth.complaint(*command.split(), "n" * 300)


@pytest.mark.parametrize("kind", ["loop", "gone"])
def test_a_link_in_the_place_of_the_folder_to_unpack_into(
    kind: str, koth: Koth, archive: Path, tmp_path: Path
) -> None:
    """A link that leads nowhere is refused before anything is unpacked."""
    (tmp_path / "loop").symlink_to(kind)
    told = koth.complaint("unpack", archive, "-o", tmp_path / "loop")
    assert told == f"{tmp_path}/loop: expected a folder, found a link that leads nowhere."


@pytest.mark.parametrize("command", ["replay", "diff"])
def test_a_folder_instead_of_a_log(command: str, koth: Koth, tmp_path: Path) -> None:
    """A folder is wrong usage for a command that needs one log."""
    assert str(tmp_path) in koth.complaint(*words(command, tmp_path))


@pytest.mark.parametrize("command", ["replay", "diff"])
def test_a_folder_without_several_logs(command: str, koth: Koth, log: Path, tmp_path: Path) -> None:
    """The message says what is there: no log, or one to name."""
    empty, one = tmp_path / "none", tmp_path / "one"
    empty.mkdir()
    one.mkdir()
    shutil.copy(log, one)
    told = koth.complaint(*words(command, empty))
    assert told == f"{empty}: expected one log, found a folder without one."
    told = koth.complaint(*words(command, one))
    assert told == f"{one}: expected one log, found a folder with one. Name the log itself."


@pytest.mark.parametrize("command", ["replay", "diff", "explain"])
def test_a_damaged_bundle_instead_of_a_log(command: str, koth: Koth, tmp_path: Path) -> None:
    """A damaged bundle is a finding named as such, not called a folder with one log."""
    bundle = tmp_path / "spring.jsonl.zst"
    bundle.write_bytes(b"no bundle")
    told = koth.complaint(*words(command, bundle), code=1)
    assert told.startswith(f"{bundle}: the bundle is damaged: ")


def test_a_log_instead_of_a_folder(koth: Koth, log: Path) -> None:
    """A file is wrong usage for a command that needs a folder, and is not called missing."""
    assert koth.complaint("resume", log) == f"{log}: expected a tournament's folder, found a file."


@pytest.mark.parametrize(
    "words",
    [
        ["blame", "LOG", "--seat", 0],
        ["again", "LOG", BOTS[0]],
        ["reask", "LOG", BOTS[0]],
        ["debug", "LOG", 3, BOTS[0]],
        ["replay", "LOG", "--at", 2, "--answer", "x"],
        ["replay", "LOG", "--seat", 0],
        ["report", "LOG", "--seat", 0, "-o", "none.html"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("sealed", [True, False])
def test_the_log_of_a_tournament_where_that_of_a_match_is_expected(
    words: list[object], sealed: bool, koth: Koth, tmp_path: Path
) -> None:
    """It is wrong usage, whether the tournament is finished or not."""
    log = tmp_path / "tournament.jsonl"
    lines = TOURNAMENT.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines if sealed else lines[:-1]))
    told = koth.complaint(*(log if word == "LOG" else word for word in words))
    assert str(log) in told
    assert "a tournament" in told


def test_an_empty_folder(koth: Koth, tmp_path: Path) -> None:
    """In an empty folder there is nothing to verify."""
    told = koth.complaint("verify", tmp_path, code=3)
    assert told.startswith(f"{tmp_path}: expected a log")


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("verify", []),
        ("audit", ["--rule", "coup/coins_do_not_add_up"]),
        ("leaderboard", []),
        ("sql", ["FROM matches"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_empty_folder_beside_others(
    command: str, more: list[str], koth: Koth, tmp_path: Path
) -> None:
    """It is named, and the results are those of the others."""
    typed = koth(command, tmp_path, CUP, *more)
    assert typed.err == f"koth: {tmp_path}: expected a log (*.jsonl), found none.\n"
    assert typed.out == koth(command, CUP, *more).out
    assert typed.code == 0


@pytest.mark.parametrize(
    "words",
    [
        ["pack", "CUP", "-o", "LOOP"],
        ["pack", "LOOP", "-o", "archive"],
        ["site", "CUP", "-o", "LOOP"],
        ["site", "LOOP", "-o", "site"],
        ["report", "CUP", "-o", "LOOP"],
        ["tournament", "coup", "examples", "-o", "LOOP"],
        ["verify", "LOOP"],
    ],
    ids=" ".join,
)
def test_a_link_that_leads_to_itself(words: list[str], koth: Koth, tmp_path: Path) -> None:
    """A command names a path that is such a link, whether it reads or writes there."""
    (tmp_path / "loop").symlink_to("loop")
    paths: dict[str, object] = {"CUP": CUP, "LOOP": tmp_path / "loop"}
    typed = koth(*(paths.get(word, word) for word in words))
    assert typed.code in (2, 4)
    assert f"{tmp_path}/loop" in typed.err
    assert "a bug" not in typed.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["keygen", "k.example", "-o", "OLD"], "OLD: expected no file there, found one"),
        (["keygen", "k.example", "-o", "/"], "/: expected no file there, found one"),
        (
            ["site", "CUP", "-o", "OLD", "--no-browser-tools"],
            "-o OLD: expected a folder, found a file.",
        ),
        (["demo", "-o", "OLD"], "OLD: expected a new or an empty folder"),
        (["demo", "-o", "USED"], "USED: expected a new or an empty folder"),
        (["sql", "CUP", "--file", "OLD", "SELECT 1"], "--file: expected paths only, found the"),
        (["sql", "CUP", "--file", "USED"], "--file: USED: cannot be read: Is a directory."),
        (["sql", "CUP", "--file", "OLD"], "--file: OLD: expected a query in UTF-8"),
        (["sql", "CUP", "SELECT 1", "-o", "OLD"], "-o OLD: this path already exists"),
        (["verify", "CUP", "--jobs", "5000"], "jobs: expected a number from 1 to 512, found 5000."),
        (["site", "CUP", "-o", "OLD", "--title", "a\udcff"], "--title: expected UTF-8"),
        (["site"], "expected PATH… and -o DIR, or --fetch-tools."),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else None,
)
def test_a_path_that_is_taken_or_of_another_kind(
    words: list[str], told: str, koth: Koth, tmp_path: Path
) -> None:
    """The message begins with the option or the path; what is there stays as it is."""
    (tmp_path / "used").mkdir()
    (tmp_path / "used/old").write_bytes(b"\xff")
    paths = {"CUP": CUP, "OLD": tmp_path / "used/old", "USED": tmp_path / "used"}
    for name in ("OLD", "USED"):
        told = told.replace(name, str(paths[name]))
    assert koth.complaint(*(paths.get(word, word) for word in words)).startswith(told)
    assert [path.read_bytes() for path in (tmp_path / "used").iterdir()] == [b"\xff"]


@pytest.mark.parametrize("command", ["replay", "reask"])
def test_a_log_that_cannot_be_read(command: str, koth: Koth) -> None:
    """The tool failed; it does not say that the log is corrupt."""
    told = koth.complaint(command, "/dev/null", code=4)
    assert told == "/dev/null: expected a regular file, found a device."


@pytest.mark.parametrize("command", ["replay", "explain", "diff"])
def test_a_file_that_is_no_log(command: str, koth: Koth, tmp_path: Path) -> None:
    """A file that is not a log is a finding with its line."""
    (tmp_path / "notes.txt").write_text("hello\n")
    told = koth.complaint(*words(command, tmp_path / "notes.txt"), code=1)
    assert told.startswith(f"{tmp_path}/notes.txt:1: expected a JSON object")


@pytest.mark.parametrize("command", ["bots", "rules", "schema"])
def test_an_unknown_game(command: str, koth: Koth) -> None:
    """A mistyped game comes with what was probably meant."""
    assert koth.complaint(command, "cuop").endswith("Did you mean 'coup'?")


@pytest.mark.parametrize("command", ["play", "tournament"])
def test_an_unknown_game_to_play(command: str, koth: Koth, tmp_path: Path) -> None:
    """An unknown game is reported first, also if other arguments are wrong."""
    told = koth.complaint(command, "chess", "gone.py", "-o", tmp_path / "x")
    games = "bank_heist, coins, coup, smallest_unique"
    assert told == f"no game is called 'chess'. Available: {games}."


def test_an_unknown_command(koth: Koth) -> None:
    """A mistyped command comes with what was probably meant, or with where to look."""
    assert koth.complaint("verfy", "x") == "there is no command 'verfy'. Did you mean 'verify'?"
    assert koth.complaint("help", "verify").endswith("Did you mean '--help'?")
    assert koth.complaint("version").endswith("Did you mean '--version'?")
    assert "`koth --help`" in koth.complaint("frobnicate")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["verify", "--nope", "x"], "--nope"),
        (["--nope"], "--nope"),
        (["verify"], "PATH"),
        (["replay"], "LOG"),
        (["diff", __file__], "OTHER"),
        (["play"], "GAME"),
        (["play", "coup"], "BOT"),
        (["tournament", "coup", *BOTS], "-o"),
        (["rules"], "GAME"),
        (["games", "coup", "coins"], "coins"),
        (["explain", __file__, "first"], "seq"),
        (["explain", __file__, "--", "-1"], "seq"),
        (["replay", __file__, "--at", "last"], "--at"),
        (["replay", __file__, "--at", "-1"], "--at"),
        (["-v"], "No such option: -v. See `koth --help`."),
        (["verify", "x.jsonl", "--jobs", "0"], "--jobs"),
        (["verify", "x.jsonl", "--jobs", "many"], "--jobs"),
        (["verify", "x.jsonl", "--jobs", "0"], "to 1, found '0'. See `koth verify --help`."),
        (
            ["debug", __file__, "my.py"],
            ": expected a valid integer, found 'my.py'. See `koth debug",
        ),
        (["contest", "run"], "Missing argument 'DIR'. See `koth contest run --help`."),
        (
            ["try", "--against", "examples/taxman", "coup", "my.py"],
            "'GAME'. --against takes all words up to the next option; type it last. See `koth try",
        ),
        (
            ["again", "--bots", "examples", __file__, "my.py"],
            "Missing argument 'LOG'. --bots takes all words up to the next option",
        ),
        (
            ["try", "coup", "--against", "examples/taxman"],
            "Missing argument 'MINE'. See `koth try --help`.",
        ),
        (["verify", "x.jsonl", "--format", "xml"], "'--format': 'xml' is not one of"),
        (["play", "coup", *BOTS, "-o", "x", "--isolation", "jail"], "jail"),
    ],
)
def test_a_command_line_that_does_not_fit(typed: list[str], told: str, koth: Koth) -> None:
    """An unknown option, a missing argument, or one with a wrong value is named."""
    assert told in koth.complaint(*typed)


@pytest.mark.parametrize("command", ["play", "tournament"])
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["--seed", "xyz"], "--seed: expected 1 to 64 hex digits (0-9, a-f), found 'xyz'."),
        (["--seed", ""], "--seed: expected 1 to 64 hex digits"),
        (["--seed", "0" * 65], "--seed: expected 1 to 64 hex digits"),
        (["--set", "rouds=3"], "coup has no setting 'rouds'. Did you mean 'rounds'?"),
        (["--set", "rounds"], "--set: expected KEY=VALUE, found 'rounds'."),
        (["--set", "=3"], "--set: expected KEY=VALUE, found '=3'."),
        (["--set", "rounds=many"], "setting rounds: "),
        (["--set", "rounds=0"], "setting rounds: "),
        (["--set", "max_calls=1.5"], "setting max_calls: "),
        (["examples/taxmn"], "coup has no example bot 'taxmn'. Did you mean 'taxman'?"),
        (["gone.py"], "gone.py: there is no such bot"),
        (["bots.toml"], "bots.toml: expected TOML"),
        (["empty"], "empty: expected bots"),
    ],
)
def test_what_cannot_be_played(
    command: str,
    typed: list[str],
    told: str,
    koth: Koth,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wrong seed, setting or bot is refused before anything is written."""
    monkeypatch.chdir(tmp_path)
    script(tmp_path, "bots.toml", "[[bots")
    (tmp_path / "empty").mkdir()
    assert told in koth.complaint(command, "coup", *BOTS, "-o", "out", *typed)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bots.toml", "empty"]


def test_a_wrong_number_of_bots(koth: Koth, tmp_path: Path) -> None:
    """Coup is played by two; a tournament needs two."""
    out = tmp_path / "out"
    assert "2 bots, found 1" in koth.complaint("play", "coup", BOTS[0], "-o", out)
    assert "2 bots, found 3" in koth.complaint("play", "coup", *BOTS, BOTS[0], "-o", out)
    assert "2 to 1000 bots, found 1" in koth.complaint("tournament", "coup", BOTS[0], "-o", out)


def test_two_bots_of_one_name(koth: Koth, tmp_path: Path) -> None:
    """In a tournament two bots cannot have the same name."""
    told = koth.complaint("tournament", "coup", *BOTS, BOTS[0], "-o", tmp_path / "out")
    assert told.startswith("two bots are called 'taxman'")


def test_a_log_that_exists(koth: Koth, log: Path) -> None:
    """A log is never written over."""
    before = log.read_bytes()
    told = koth.complaint("play", "coup", *BOTS, "-o", log)
    assert told.startswith(f"{log}: there is a file already")
    assert log.read_bytes() == before
    told = koth.complaint("play", "coup", *BOTS, "-o", log.parent)
    assert told.startswith(f"{log.parent}: there is a folder already")


def test_evidence_of_another_log(koth: Koth, tmp_path: Path) -> None:
    """A match in a tournament's folder writes over the evidence of none of its logs."""
    koth("tournament", "coup", *BOTS, "-o", tmp_path, "--set", "rounds=1")
    before = contents(tmp_path)
    name = "1-000000.jsonl"
    other, evidence = tmp_path / layout.MATCHES / name, tmp_path / layout.EVIDENCE / name
    told = koth.complaint("play", "coup", *BOTS, "-o", tmp_path / name)
    assert told.startswith(f"{tmp_path / name}: its evidence would replace that of {other}")
    assert told.endswith(f"which is in {evidence}. Name another log.")
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["mine.jsonl", layout.TOURNAMENT])
def test_a_match_more_of_a_tournament(
    name: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No match is written among those of a tournament, which would be forged."""
    koth("tournament", "coup", *BOTS, "-o", tmp_path, "--set", "rounds=1")
    before = contents(tmp_path)
    told = koth.complaint("play", "coup", *BOTS, "-o", tmp_path / layout.MATCHES / name)
    assert "expected a path outside of the matches of" in told
    monkeypatch.chdir(tmp_path / layout.MATCHES)
    assert "of ../tournament.jsonl" in koth.complaint("play", "coup", *BOTS, "-o", name)
    assert contents(tmp_path) == before


def test_a_log_that_was_removed_is_played_anew(koth: Koth, tmp_path: Path) -> None:
    """The evidence that is left of it is replaced."""
    log = tmp_path / "log.jsonl"
    for _ in range(2):
        assert koth("play", "coup", *BOTS, "-o", log).code == 0
        log.unlink()


def test_a_file_where_the_evidence_goes(koth: Koth, tmp_path: Path) -> None:
    """A file called evidence, or a log of that name, is named, and nothing is played."""
    expected = f"{tmp_path}/evidence: expected a folder for evidence, found a file."
    assert koth.complaint("play", "coup", *BOTS, "-o", tmp_path / "evidence") == expected
    assert not any(tmp_path.iterdir())
    (tmp_path / "evidence").touch()
    assert koth.complaint("play", "coup", *BOTS, "-o", tmp_path / "log.jsonl") == expected
    assert [path.name for path in tmp_path.iterdir()] == ["evidence"]


def test_a_folder_that_does_not_exist(koth: Koth, tmp_path: Path) -> None:
    """A log goes into a folder that is there."""
    told = koth.complaint("play", "coup", *BOTS, "-o", tmp_path / "gone" / "log.jsonl")
    assert told == f"{tmp_path}/gone: there is no such folder."


@pytest.mark.parametrize(
    "typed",
    [("sql", "LOG", "FROM players"), ("again", "LOG", BOTS[0], "--seat", "0"), ("report", "LOG")],
)
def test_a_result_goes_into_a_folder_that_is_there(
    typed: tuple[str, ...], koth: Koth, log: Path, tmp_path: Path
) -> None:
    """A missing folder is wrong usage for every command that writes a file."""
    named = [log if word == "LOG" else word for word in typed]
    told = koth.complaint(*named, "-o", tmp_path / "gone" / "file")
    assert told == f"{tmp_path}/gone: there is no such folder."


@pytest.mark.parametrize(
    "typed",
    [
        ("play", "coup", *BOTS),
        ("sql", "LOG", "FROM players"),
        ("again", "LOG", BOTS[0], "--seat", "0"),
        ("report", "LOG"),
        ("new-game", "nim"),
    ],
    ids=itemgetter(0),
)
def test_a_result_goes_into_a_folder_that_can_be_written(
    typed: tuple[str, ...], koth: Koth, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder without permission to write is wrong usage, and told by the path that was typed."""
    named = [log if word == "LOG" else word for word in typed]
    closed = tmp_path / "closed"
    closed.mkdir()
    access = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: Path(path) != closed and access(path, mode)
    )
    told = koth.complaint(*named, "-o", closed / "new")
    assert told == f"{closed}/new: cannot be made: its folder cannot be written."
    assert not any(closed.iterdir())


@pytest.mark.parametrize(
    "typed",
    [
        ("pack", "CUP"),
        ("unpack", "ARCHIVE"),
        ("site", "CUP", "--no-browser-tools"),
        ("demo",),
        ("tournament", "coup", *BOTS),
    ],
    ids=itemgetter(0),
)
def test_a_new_folder_is_made_where_one_can_write(
    typed: tuple[str, ...],
    koth: Koth,
    archive: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A folder that cannot be made or written is wrong usage, and told by its path."""
    places = {"CUP": CUP, "ARCHIVE": archive}
    named = [places.get(word, word) for word in typed]
    (tmp_path / "file").touch()
    told = koth.complaint(*named, "-o", tmp_path / "file" / "new")
    assert re.search(r"/file(/new)?: cannot be made: (Not a directory|File exists)\.$", told)
    if typed[0] != "tournament":  # it asks the system, which allows root everything
        closed = tmp_path / "closed"
        closed.mkdir()
        access = os.access
        monkeypatch.setattr(
            os, "access", lambda path, mode: mode != os.W_OK | os.X_OK and access(path, mode)
        )
        assert koth.complaint(*named, "-o", closed) == f"{closed}: this folder cannot be written."
        assert not any(closed.iterdir())


def test_a_folder_in_use(koth: Koth, log: Path) -> None:
    """A tournament goes into a new folder or an empty one."""
    told = koth.complaint("tournament", "coup", *BOTS, "-o", log.parent)
    assert told == f"{log.parent}: expected a new or an empty folder, found something in it."


def test_a_folder_of_an_unfinished_tournament(koth: Koth, tmp_path: Path) -> None:
    """The refusal names the command that goes on, if the tournament has the first line of a log."""
    cup = tmp_path / "cup"
    cup.mkdir()
    (cup / layout.SEED).touch()
    told = koth.complaint("tournament", "coup", *BOTS, "-o", cup)
    assert told.endswith(" Its tournament was stopped before its first match. Name another folder.")
    assert "`koth tournament` in another one" in koth.complaint("resume", cup, code=3)
    (cup / layout.TOURNAMENT).write_bytes(TOURNAMENT.read_bytes().splitlines(keepends=True)[0])
    told = koth.complaint("tournament", "coup", *BOTS, "-o", cup)
    assert told.endswith(f" `koth resume {cup}` goes on with its tournament.")


@pytest.mark.parametrize(
    "url",
    ["example.com", "https://", "https:///cup", "http://a/?b", "http://a#b", "http://a/\udcff"],
)
def test_a_base_url_is_an_address(url: str, koth: Koth, log: Path, tmp_path: Path) -> None:
    """The address of a site has a scheme, a host and UTF-8, and pages can be appended to it."""
    told = koth.complaint("site", log, "-o", tmp_path / "site", "--base-url", url)
    assert told.endswith(
        "expected an address such as https://example.org/cup, without ? and #, "
        f"found '{path_text(url)}'."
    )
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("command", ["explain", "replay"])
@pytest.mark.parametrize("seq", [21, 10**30])
def test_a_seq_beyond_the_end(command: str, seq: int, koth: Koth, log: Path) -> None:
    """A seq that the log does not have is refused with the range of valid ones."""
    option = ["--at"] if command == "replay" else []
    told = koth.complaint(command, log, *option, seq)
    assert f"expected an event from 0 to 20, found {seq}" in told


def test_an_unknown_clause(koth: Koth) -> None:
    """A clause that the rulebook does not have comes with what was probably meant."""
    assert "has no clause 'CP-99'. Did you mean" in koth.complaint("rules", "coup", "CP-99")


def test_a_bot_whose_command_is_blank(koth: Koth, tmp_path: Path) -> None:
    """A command of nothing but spaces is refused like an empty one."""
    toml = script(tmp_path, "bots.toml", '[[bots]]\nname = "a"\ncommand = "  "')
    assert "'command'" in koth.complaint("play", "coup", toml, "-o", tmp_path / "log.jsonl")


def test_an_unfinished_log(koth: Koth, log: Path) -> None:
    """A log without its seal has no seed, and nothing that could be replayed."""
    log.write_bytes(log.read_bytes()[:-1])
    for command in ("replay", "explain"):
        told = koth.complaint(*words(command, log), code=1)
        assert told.startswith(f"{log}:21: after 20 events there is no seal; ")
        assert told.endswith(" bytes.")


def test_a_name_for_a_bot_that_is_none(koth: Koth, tmp_path: Path) -> None:
    """A bot's file is refused if its name is not allowed in a log."""
    path = script(tmp_path, "my bot.sh", FIRST)
    assert "white space" in koth.complaint("play", "coup", path, path, "-o", tmp_path / "x.jsonl")


def test_a_name_for_a_tournament_that_is_no_text(koth: Koth, tmp_path: Path) -> None:
    """A name that is not UTF-8 is refused before anything is written."""
    words = ["tournament", "coup", *BOTS, "--set", "rounds=1", "--set", "max_calls=1"]
    assert "--name" in koth.complaint(*words, "--name", "a\udcff", "-o", tmp_path / "cup")
    assert not (tmp_path / "cup").exists()
