"""A match of real bots: the same log as with functions, evidence next to it, and no leftovers."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from referee import match, single_match
from referee.bot import Bot
from referee.errors import RefereeError
from schema import seal
from schema.bot_output import CAP
from schema.errors import UsageError
from tests.factories import SEED, loads, match_events, scripted, sealed
from tests.referee.bot_factory import CARD, FIRST, LATER, bot, honest, job, play


def reciting(folder: Path, name: str, *lines: str) -> Path:
    """A bot that gives these answers in turn, as printf writes them; ``\\n:~$`` as in scripted."""
    folder.mkdir(exist_ok=True)
    body = ["f=$1; n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) >count; case $n in"]
    for number, line in enumerate(lines):
        appended, _, output = line.partition(":")
        body.append(f"{number}) printf '{appended}' >>\"$f\"; printf '%s' '{output}';;")
    path = folder / name
    path.write_text("\n".join([*body, "esac\n"]))
    return path


def taking_turns(*lines: str) -> list[list[str]]:
    """Return the answers of one seat, from those of both in turn."""
    return [list(lines[0::2]), list(lines[1::2])]


@pytest.mark.parametrize(
    "lines",
    [
        ["I\n", "I\n", "I\n", "x"],
        ["F", "p", "\n", "T", "p", "\n", ""],
        ["I\n", "E", "p", "\n:nothing legal"],
    ],
)
def test_live_bots_write_the_log_of_callables(lines: list[str], tmp_path: Path) -> None:
    """The log has the same bytes if programs or functions give the same answers."""
    bots = [
        bot_of(reciting(tmp_path, f"player{seat}.sh", *(one.replace("\n", "\\n") for one in said)))
        for seat, said in enumerate(taking_turns(*lines))
    ]
    played = play(tmp_path / "match", *bots)
    expected = match_events(scripted(*lines))
    expected[0]["players"] = played.events[0]["players"]
    assert played.log.read_bytes() == sealed(expected)
    assert played.events[0]["players"] == [
        {"seat": seat, "name": f"player{seat}", "bot": one.hash} for seat, one in enumerate(bots)
    ]


def bot_of(path: Path) -> Bot:
    """Return the bot in a file."""
    return bot(path.parent, path.name, path.read_text().removesuffix("\n"))


def test_an_exchange_reads_standard_output(tmp_path: Path) -> None:
    """The cards to keep are read from standard output; white space around them is ignored."""
    body = """case $4 in ????) printf ' \\n%s\\n ' "${4%??}"; f=$1; shift 4; printf '\\n' >>"$f";;
*) f=$1; shift 4; case $1$2 in I*) printf E >>"$f";; *) printf %s "$1" >>"$f";; esac;; esac"""
    played = play(tmp_path, bot(tmp_path, "ambassador.sh", body), honest(tmp_path), max_calls=9)
    exchanged = [event for event in played.events if event["type"] == "cards_exchanged"]
    offered = [event for event in played.events if event["type"] == "cards_offered"]
    assert exchanged
    assert [event["hand"] for event in exchanged] == [event["drawn"] for event in offered]


def test_the_arguments(tmp_path: Path) -> None:
    """A bot gets the history's absolute path, both coins, its cards, and its choices (CP-16)."""
    body = """printf '%s|' "$2" "$3" "$4" "$5" "$6" "$#"; case $1 in /*) cat "$1";; esac"""
    played = play(
        tmp_path,
        bot(tmp_path, "villain.sh", FIRST.replace("f=$1;", f"{body}; f=$1;") + "act"),
        honest(tmp_path),
        max_calls=3,
    )
    dealt = played.events[1]
    cards = dealt["hands"][0]
    assert played.outputs == [f"1|1|{cards}|I\n|F|9|", f"2|2|{cards}|I\n|F|9|I\nI\n"]


def test_the_environment_is_these_four(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot's environment holds its seed, PYTHONHASHSEED, PATH and LANG, and nothing else."""
    monkeypatch.setenv("SECRET", "1")
    body = "tr '\\0' '\\n' </proc/$$/environ; act"
    played = play(tmp_path, bot(tmp_path, "nosy.sh", FIRST + body), honest(tmp_path), max_calls=1)
    found = dict(line.split("=", 1) for line in played.outputs[0].splitlines())
    assert sorted(found) == ["KOTH_BOT_SEED", "LANG", "PATH", "PYTHONHASHSEED"]
    assert (found["PYTHONHASHSEED"], found["PATH"]) == ("0", os.environ["PATH"])


def test_the_seed_of_a_bot(tmp_path: Path) -> None:
    """``KOTH_BOT_SEED`` is the SHA-256 of the seed, the seat and the index of the decision."""
    nosy = [bot(tmp_path, f"{n}.sh", FIRST + 'printf %s "$KOTH_BOT_SEED"; act') for n in "ab"]
    played = play(tmp_path, *nosy, max_calls=6)
    answers = [event for event in played.events if event["type"] == "answered"]
    assert [event["output"] for event in answers] == [
        seal.hex_digest(f"{SEED}:bot/{seat}/{decision}".encode())
        for decision in range(3)
        for seat in range(2)
    ]


def test_a_large_output_is_no_fault(tmp_path: Path) -> None:
    """Output up to the limit is kept whole, also if the game does not read it."""
    talker = bot(tmp_path, "talker.sh", FIRST + f"act; head -c {CAP} /dev/zero")
    played = play(tmp_path, talker, honest(tmp_path), max_calls=2)
    assert played.outputs == ["\0" * CAP]
    assert played.result.faults == ()


def test_the_evidence(tmp_path: Path) -> None:
    """The evidence has a header, and one line for each decision, answered or not."""
    body = "echo thinking >&2; exit 7"
    played = play(tmp_path, bot(tmp_path, "villain.sh", LATER + body), honest(tmp_path))
    header, *lines = played.evidence
    assert header["format"] == "koth-evidence/1"
    assert (header["match"], header["isolation"]) == ("1-000000", "process")
    decisions = [
        (seq, event["seat"], event["ask"])
        for seq, event in enumerate(played.events)
        if event["type"] in ("answered", "fault")
    ]
    assert [(line["seq"], line["seat"], line["ask"]) for line in lines] == decisions
    assert [line["exit"] for line in lines] == [0, 0, 7]
    assert lines[-1]["stderr"] == "thinking\n"
    assert all(line["ms"] > 0 for line in lines)


def test_nothing_of_the_run_is_in_the_log(tmp_path: Path) -> None:
    """Standard error, exit status and times are evidence, and change no byte of the log."""
    loud, silent = (
        play(tmp_path / name, bot(tmp_path, "same.sh", FIRST + "act"), honest(tmp_path))
        for name in ("loud", "silent")
    )
    assert loud.log.read_bytes() == silent.log.read_bytes()
    assert b'"ms"' not in loud.log.read_bytes()


def test_a_log_is_never_written_over(tmp_path: Path) -> None:
    """An existing log is refused and not changed."""
    (tmp_path / "log.jsonl").write_text("mine")
    with pytest.raises(RefereeError, match=r"log\.jsonl: there is a log already"):
        match.play(job(tmp_path, [honest(tmp_path), honest(tmp_path)]))
    assert (tmp_path / "log.jsonl").read_text() == "mine"


def test_an_existing_log_outlives_a_folder_of_evidence_that_cannot_be_made(tmp_path: Path) -> None:
    """An error before a log is made removes no log of that name."""
    log, file = tmp_path / "log.jsonl", tmp_path / "file"
    log.write_text("mine")
    file.touch()
    planned = replace(job(tmp_path, [honest(tmp_path)] * 2), evidence=file / "evidence/log.jsonl")
    with pytest.raises(RefereeError, match="Not a directory"):
        match.play(planned)
    assert log.read_text() == "mine"


def test_a_file_where_the_evidence_goes(tmp_path: Path) -> None:
    """A file in place of the folder of evidence is not called a log, and no log is begun."""
    (tmp_path / "evidence").touch()
    with pytest.raises(RefereeError, match=r"evidence: expected a folder for evidence, found a f"):
        match.play(job(tmp_path, [honest(tmp_path), honest(tmp_path)]))
    assert not (tmp_path / "log.jsonl").exists()


def test_a_pipe_is_no_log_that_was_begun(tmp_path: Path) -> None:
    """A pipe in place of a log is refused, without waiting for anybody to write to it."""
    os.mkfifo(tmp_path / "log.jsonl")
    with pytest.raises(OSError, match="expected a regular file, found a pipe"):
        match.has_begun(replace(job(tmp_path, [honest(tmp_path)] * 2), again=True))


def test_the_log_is_on_disk_before_a_bot_is_asked(tmp_path: Path) -> None:
    """All events before a call are in the log on disk when the bot is asked."""
    log = tmp_path / "match/log.jsonl"
    nosy = bot(tmp_path, "nosy.sh", FIRST + f"cat '{log}' | wc -l; act")
    played = play(tmp_path / "match", nosy, honest(tmp_path), max_calls=3)
    seqs = [line["seq"] for line in played.evidence[1:] if line["seat"] == 0]
    assert [int(output) for output in played.outputs] == seqs


def test_the_seed_is_not_in_the_log_before_the_end(tmp_path: Path) -> None:
    """During a match its log does not hold the seed."""
    log = tmp_path / "match/log.jsonl"
    nosy = bot(tmp_path, "nosy.sh", FIRST + f"grep -c {SEED} '{log}'; act")
    played = play(tmp_path / "match", nosy, honest(tmp_path), max_calls=3)
    assert played.outputs == ["0\n", "0\n"]
    assert SEED.encode() in played.log.read_bytes()


# --- a single match ------------------------------------------------------------------------------


def play_single(folder: Path, *bots: Bot) -> str:
    """Play one match as ``koth play`` does."""
    settings = CARD.settings({"max_calls": 2})
    job = single_match.plan(CARD, bots, settings, SEED, folder / "log.jsonl", "process")
    return single_match.in_words([bot.name for bot in job.bots], single_match.play(job))


def test_a_single_match(tmp_path: Path) -> None:
    """A single match is a tournament of one match, named after its seed."""
    told = play_single(tmp_path, honest(tmp_path), honest(tmp_path, "other.sh"))
    assert told == "drawn; honest 0, other 0"
    start = loads((tmp_path / "log.jsonl").read_bytes())[0]
    assert (start["match"], start["tournament"]) == ("1-000000", seal.commitment(SEED)[:16])
    assert (tmp_path / "evidence" / "log.jsonl").exists()


def test_a_bot_against_itself(tmp_path: Path) -> None:
    """A bot that is given twice plays under two names."""
    play_single(tmp_path, honest(tmp_path), honest(tmp_path))
    players = loads((tmp_path / "log.jsonl").read_bytes())[0]["players"]
    assert [player["name"] for player in players] == ["honest", "honest-2"]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_bots(count: int, tmp_path: Path) -> None:
    """Coup takes exactly two bots."""
    with pytest.raises(UsageError, match=f"expected 2 bots, found {count}"):
        play_single(tmp_path, *[honest(tmp_path)] * count)


def test_a_single_match_never_writes_over(tmp_path: Path) -> None:
    """A log that exists and a folder that does not exist are usage errors."""
    bots = honest(tmp_path), honest(tmp_path)
    play_single(tmp_path, *bots)
    with pytest.raises(UsageError, match="there is a file already"):
        play_single(tmp_path, *bots)
    with pytest.raises(UsageError, match="there is no such folder"):
        play_single(tmp_path / "gone", *bots)
