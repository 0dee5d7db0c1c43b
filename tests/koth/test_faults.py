"""Matches, tournaments and verdicts name their faults, and each fault can be explained."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from games.table import Fault
from koth.cli import explain
from replay import faults
from replay.partial_log import read_partial
from schema import discovery as layout
from tests.factories import match_events, sealed, write
from tests.golden.make import HERE
from tests.koth.commands import Koth
from tests.referee.bot_factory import FIRST, LATER, script
from tests.replay.log_factory import SHORT, hex_seed, illegal_match, short

NOT_ALL = (
    f"`koth faults {HERE / 'smallest_unique-1'}` lists all faults, `--format json` all events.\n"
)
COMPLAINT = 'echo "no idea" >&2; exit 1'


@pytest.fixture
def cup(koth: Koth, tmp_path: Path) -> Path:
    """A tournament in which one bot fails in both of its matches; the other never does."""
    bots = (
        script(tmp_path / "bots", "honest.sh", FIRST + "act"),
        script(tmp_path / "bots", "weak.sh", LATER + COMPLAINT),
    )
    cup = tmp_path / "cup"
    assert koth("tournament", "coup", *bots, "-o", cup, "--set", "rounds=1", "--seed", 1).code == 0
    return cup


def test_the_faults_of_a_tournament(koth: Koth, cup: Path) -> None:
    """Each fault has its clause, question, answer, evidence and the command that explains it."""
    typed = koth("faults", cup)
    assert (typed.code, typed.err) == (0, "")
    log = cup / layout.MATCHES / "1-000000.jsonl"
    [first] = faults.faults(read_partial(log))
    head, *rest = typed.out.split("\n\n")[0].splitlines()
    assert head == f"{log}:{first.seq + 1}: weak (seat 1), crash (CP-17): forfeit"
    assert rest[0] == "  weak crashes: it forfeits (CP-17)."
    assert "(the referee's word)" in typed.out
    assert rest[-1] == f"  $ koth explain {log} {first.seq}"
    assert "    no idea" in rest
    assert "\nCP-17  A bot forfeits" in typed.out
    assert typed.out.endswith("\n2 faults: weak 2 crash\n")


def test_the_command_that_it_names_explains_the_fault(koth: Koth, cup: Path) -> None:
    """Each printed command works without changes and explains its fault."""
    lines = koth("faults", cup).out.splitlines()
    commands = [line.removeprefix("  $ koth ") for line in lines if line.startswith("  $ koth ")]
    assert len(commands) == 2
    for command in commands:
        typed = koth(*command.split())
        assert (typed.code, typed.err) == (0, "")
        assert '"type":"fault"' in typed.out
        assert "    no idea" in typed.out


def test_the_faults_of_one_bot(koth: Koth, cup: Path) -> None:
    """A name after the paths selects the faults of that bot; an unknown name gets a hint."""
    assert koth("faults", cup, "weak").out == koth("faults", cup).out
    assert koth("faults", cup, "honest").out == "no faults\n"
    assert "Did you mean 'weak'?" in koth.complaint("faults", cup, "wek")


@pytest.mark.parametrize("write", [Path.mkdir, Path.touch])
def test_a_bot_is_named_beside_its_files(
    write: Callable[[Path], object], koth: Koth, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder or a program that is called like a bot is not taken for a path of logs."""
    named = koth("faults", cup, "honest").out
    monkeypatch.chdir(cup.parent)
    write(Path("honest"))
    assert koth("faults", cup, "honest").out == named != koth("faults", cup).out


def test_a_log_needs_no_suffix(koth: Koth, cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that is named like a bot is a path after other paths, too."""
    monkeypatch.chdir(cup.parent)
    shutil.copy(cup / "matches" / "1-000000.jsonl", "honest")
    assert "1 fault: weak 1 crash" in koth("faults", "honest", "honest").out


def test_faults_as_json(koth: Koth, cup: Path) -> None:
    """``koth-faults/1`` has every fault with its place, its answer and the evidence."""
    found = koth("faults", cup, "--format", "json").json
    assert found["format"] == "koth-faults/1"
    assert found["counts"] == {"weak": {"crash": 2}}
    first = found["faults"][0]
    assert (first["name"], first["seat"], first["kind"]) == ("weak", 1, "crash")
    assert first["sentence"] == "weak crashes: it forfeits (CP-17)."
    assert (first["clause"], first["penalty"]) == ("CP-17", "forfeit")
    assert first["clause_text"].startswith("A bot forfeits")
    assert set(first["answer"]) == {"output", "appended"}
    assert first["evidence"]["stderr"] == "no idea\n"


def test_what_replaced_the_history_is_named(koth: Koth, tmp_path: Path) -> None:
    """A fault over another object in the place of the history file says which, as text and JSON."""
    tampered = Fault("tampered", {"output": b""}, found="a symbolic link")
    log = write(tmp_path / "link.jsonl", match_events(lambda _: tampered))
    text = koth("faults", log).out
    assert "changes the history file, and leaves a symbolic link: it forfeits (CP-17)." in text
    assert '\n  wrote     found "a symbolic link", output ""\n' in text
    [listed] = koth("faults", log, "--format", "json").json["faults"]
    assert listed["answer"] == {"found": "a symbolic link", "output": ""}


def test_faults_in_a_bundle(koth: Koth, cup: Path, tmp_path: Path) -> None:
    """An archive has the same faults as the folder."""
    assert koth("pack", cup, "-o", tmp_path / "archive").code == 0
    found = koth("faults", tmp_path / "archive").out
    assert found.endswith("\n2 faults: weak 2 crash\n")
    assert "    no idea" in found


def test_faults_of_matches_whose_logs_are_missing(koth: Koth, cup: Path, tmp_path: Path) -> None:
    """Faults that only the log of the tournament reports are counted on standard error."""
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes((cup / layout.TOURNAMENT).read_bytes())
    (cup / layout.MATCHES / "1-000001.jsonl").unlink()
    typed = koth("faults", cup)
    assert typed.out.endswith("\n1 fault: weak 1 crash\n")
    said = "fault in matches whose logs are not there.\n"
    assert typed.err == f"koth: {cup / layout.TOURNAMENT}: reports 1 {said}"
    typed = koth("faults", alone)
    assert (typed.out, typed.code) == ("no faults\n", 0)
    assert typed.err == f"koth: {alone}: reports 2 {said.replace('fault ', 'faults ')}"


def test_faults_of_a_log_at_two_paths_count_once(koth: Koth, cup: Path) -> None:
    """A folder that is named twice, in different ways, has its faults once."""
    other = cup / ".." / cup.name
    assert koth("faults", cup, other).out == koth("faults", cup).out


def test_the_log_of_a_contest_stands_for_its_matches(koth: Koth, cup: Path) -> None:
    """Like that of a tournament, it has no faults of its own; those of its folder are listed."""
    log = cup.parent / layout.CONTEST
    log.write_bytes((cup / layout.TOURNAMENT).read_bytes())
    assert koth("faults", log).out.endswith("\n2 faults: weak 2 crash\n")


def test_faults_of_a_match_that_is_not_over(koth: Koth, tmp_path: Path) -> None:
    """A log without its seal has its faults, too; an unreadable one is named and passed over."""
    whole = sealed(illegal_match(), hex_seed(SHORT))
    (tmp_path / "open.jsonl").write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    (tmp_path / "bad.jsonl").write_text('{"type":"fault"}\n')
    typed = koth("faults", tmp_path)
    assert typed.code == 0
    assert "1 fault: " in typed.out
    assert f"koth: not read: {tmp_path / 'bad.jsonl'}" in typed.err
    assert koth("faults", tmp_path / "bad.jsonl").code == 1
    start, *events = short()
    newer = write(tmp_path / "newer.jsonl", [start | {"format": "koth-log/2"}, *events])
    assert "the log is in koth-log/2" in koth.complaint("faults", newer, code=1)
    other = write(tmp_path / "other.jsonl", [start, {"type": "rain"}, *events])
    assert "found 'rain'" in koth.complaint("faults", other, code=1)
    (tmp_path / "empty").mkdir()
    assert koth("faults", tmp_path / "empty").code == 3


def test_verify_tells_the_faults(koth: Koth, cup: Path) -> None:
    """In its text by bot and kind, in its JSON for every log."""
    told = f"\n2 faults: weak 2 crash; see `koth faults {cup}`\n3 logs: "
    assert told in koth("verify", cup).out
    assert "crash; see `koth faults PATH…`\n" in koth("verify", *[cup] * 4).out
    logs = koth("verify", cup, "--format", "json").json["logs"]
    assert [log["faults"] for log in logs] == [{"weak": {"crash": 1}}, {"weak": {"crash": 1}}, {}]


def test_a_long_answer_is_cut_in_the_list(koth: Koth, tmp_path: Path) -> None:
    """Each text has the beginning of a long answer, so that what follows is found; JSON has all."""
    long = "Z" * 65_537
    events = match_events(lambda ask: Fault("oversize", {"output": b"", "appended": long.encode()}))
    log = write(tmp_path / "log.jsonl", events)
    listed = koth("faults", log).out
    assert 'appended "ZZZ' in listed
    assert 'ZZ… (65,536 characters), cut ["appended"]\n' in listed
    assert len(listed) < 2_000
    [fault] = koth("faults", log, "--format", "json").json["faults"]
    assert len(fault["answer"]["appended"]) > 65_000
    explained = koth("explain", log, "--format", "json").json["explanations"]
    assert explained[0]["answer"]["appended"] == fault["answer"]["appended"]
    for words in (["explain", log], ["replay", log, "--seat", 0], ["replay", log, "--at", 2]):
        out = koth(*words).out
        assert "ZZ… (65,6" in out
        assert "the log has them all" in out
        assert len(out) < 12_000


def test_explain_finds_the_fault(koth: Koth, tmp_path: Path) -> None:
    """Without a seq, and with `fault`, it explains what a bot failed in."""
    log = write(tmp_path / "log.jsonl", illegal_match(), hex_seed(SHORT))
    seq = next(n for n, event in enumerate(illegal_match()) if event["type"] == "fault")
    there = koth("explain", log, seq)
    assert (there.code, koth("explain", log).out) == (0, there.out)
    assert koth("explain", log, "fault").out == there.out
    found = koth("explain", log, "--format", "json").json
    one = koth("explain", log, seq, "--format", "json").json
    assert found["format"] == "koth-explanations/1"
    assert {"format": "koth-explain/1", **found["explanations"][0]} == one


def test_explain_without_a_fault(koth: Koth, tmp_path: Path) -> None:
    """It explains the last decision, and says so; `fault` finds nothing to work on."""
    log = write(tmp_path / "log.jsonl", short(), hex_seed(SHORT))
    last = max(n for n, event in enumerate(short()) if event["type"] == "answered")
    typed = koth("explain", log)
    assert (typed.code, typed.out) == (0, koth("explain", log, last).out)
    assert typed.err == "koth: no fault in this log; this is its last decision.\n"
    assert "there is no fault" in koth.complaint("explain", log, "fault", code=3)


@pytest.mark.parametrize("format", ["text", "json"])
def test_explain_of_a_log_that_does_not_verify(format: str, koth: Koth, tmp_path: Path) -> None:
    """An event before the first difference is explained, and the verdict on the log is said."""
    events = short()
    next(event for event in events if event["type"] == "match_finished")["scores"] = [7, 7]
    log = write(tmp_path / "log.jsonl", events, hex_seed(SHORT))
    typed = koth("explain", log, 1, "--format", format)
    assert typed.code == 0
    assert typed.err.startswith(f"koth: {log}:{len(events)}: the verdict on this log is diverged: ")
    assert "field scores[0]: recorded 7, " in typed.err


def test_a_match_of_a_tournament_is_named_if_its_log_is_there(koth: Koth, cup: Path) -> None:
    """The command that is printed works; without the logs of matches there is none."""
    lines = koth("explain", cup / "tournament.jsonl").out.splitlines()
    first, _ = (line for line in lines if line.startswith("  $ koth"))
    assert koth(*shlex.split(first)[2:]).out.startswith(str(cup / "matches/1-000000.jsonl"))
    shutil.rmtree(cup / "matches")
    assert "$ koth" not in koth("explain", cup / "tournament.jsonl").out


@pytest.mark.parametrize("match", ["1-000001", "1-000001.jsonl", "1"])
def test_explain_a_match_of_a_tournament(koth: Koth, cup: Path, match: str) -> None:
    """The match is named by its id or its number, in a folder or a bundle."""
    log = cup / layout.MATCHES / "1-000001.jsonl"
    assert koth("explain", cup, match).out == koth("explain", log).out
    assert koth("explain", cup, match, 1).out == koth("explain", log, 1).out


def test_explain_a_match_in_a_bundle(koth: Koth, cup: Path, tmp_path: Path) -> None:
    """A bundle is searched as a folder is."""
    assert koth("pack", cup, "-o", tmp_path / "archive").code == 0
    [bundle] = (tmp_path / "archive").rglob("*.zst")
    for place in (tmp_path / "archive", bundle):
        found = koth("explain", place, "1-000001", "fault")
        assert (found.code, found.err) == (0, "")
        assert '"type":"fault"' in found.out


def test_what_explain_cannot_find(koth: Koth, cup: Path) -> None:
    """A folder alone, a match that is not there, and one word too many are wrong usage."""
    assert f"Name a match, such as {cup}/1-000000" in koth.complaint("explain", cup)
    assert "no log of a match '7'" in koth.complaint("explain", cup, 7)
    assert "Its matches are 1-000000 to 1-000001." in koth.complaint("explain", cup, "mask")
    log = cup / layout.MATCHES / "1-000001.jsonl"
    assert "found '1 2'" in koth.complaint("explain", log, 1, 2)
    assert "expected an event by its seq" in koth.complaint("explain", cup, 1, "x")
    log.unlink()
    assert "Its only match is 1-000000." in koth.complaint("explain", cup, 7)


def test_many_faults_are_explained_in_part(
    koth: Koth, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the first faults are printed, with the command for the rest; JSON has all."""
    monkeypatch.setattr(explain, "SHOWN", 1)
    log = cup / layout.TOURNAMENT
    typed = koth("explain", log)
    assert typed.out.count('"type":"match_played"') == 1
    assert f"\n  $ koth explain {cup} 1-000000" in typed.out
    assert typed.err == f"koth: 1 more; `koth faults {cup}` lists all.\n"
    assert koth("faults", log).out == koth("faults", cup).out
    assert len(koth("explain", log, "--format", "json").json["explanations"]) == 2


def test_consequences_of_faults_are_not_counted_as_faults(
    koth: Koth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`koth faults` lists no bot that was disqualified and no voided attempt; a line says so."""
    log = HERE / "smallest_unique-1/tournament_run_again_without_two_that_fail.jsonl"
    assert koth("explain", log).err == f"koth: 1 more, 1 voided among them; {NOT_ALL}"
    monkeypatch.setattr(explain, "SHOWN", 1)
    said = "koth: 3 more, 2 disqualified and 1 voided among them; "
    assert koth("explain", log).err == said + NOT_ALL


def test_a_timeout_is_told_with_its_limit(koth: Koth, tmp_path: Path) -> None:
    """The time limit of this match is printed beside the clause, which cites the default."""
    log = write(tmp_path / "log.jsonl", match_events(lambda ask: Fault("timeout"), time_limit_s=3))
    assert ", timeout (CP-17, time limit 3 s): forfeit" in koth("faults", log).out
    assert "settings: rounds 10, time_limit_s 3, max_calls 200" in koth("explain", log).out


def test_a_class_has_a_limit_of_its_own_to_load(koth: Koth) -> None:
    """The limit of a timeout names both, for a log does not say in which of them it was."""
    log = (
        HERE / "smallest_unique-1/void_by_a_timeout_in_an_update_before_a_crash_in_the_choice.jsonl"
    )
    assert ", timeout (SU-9, time limit 1 s, 10 s to load): " in koth("faults", log).out


@pytest.mark.parametrize("content", [b"x\0y", b"", b"[]\n", b'{"seq":0'])
def test_a_file_that_is_no_log_has_not_no_faults(
    koth: Koth, tmp_path: Path, log: Path, content: bytes
) -> None:
    """It is a finding alone or in a folder of such files, and named beside other logs."""
    bad = tmp_path / "bad" / "bad.jsonl"
    bad.parent.mkdir()
    bad.write_bytes(content)
    for place in (bad, bad.parent):
        for words in ((), ("--format", "json")):
            assert str(bad) in koth.complaint("faults", place, *words, code=1)
    (bad.parent / "worse.jsonl").write_bytes(content)
    both = koth("faults", bad, bad.parent / "worse.jsonl", log)
    assert (both.code, both.out) == (0, "no faults\n")
    assert both.err.count("koth: not read: ") == 2
    assert str(bad) in both.err


def test_a_log_that_was_changed_has_not_no_faults(koth: Koth, log: Path) -> None:
    """A log without faults whose seal does not fit is a finding, as one with faults is."""
    log.write_bytes(log.read_bytes().replace(b'"change":[0,1]', b'"change":[0,2]'))
    assert "changed after it was sealed" in koth.complaint("faults", log, code=1)


def test_a_fault_of_a_match_that_is_not_over_has_no_command(koth: Koth, tmp_path: Path) -> None:
    """Only a finished log can be explained, so another one is said to be unfinished."""
    whole = sealed(illegal_match(), hex_seed(SHORT))
    log = tmp_path / "open.jsonl"
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    text = koth("faults", log).out
    assert "the log is not finished" in text
    assert "$ koth" not in text
    log.write_bytes(whole)
    assert f"  $ koth explain {log} " in koth("faults", log).out


def test_a_fault_of_an_imported_match_has_no_command(koth: Koth, tmp_path: Path) -> None:
    """Without a seed it cannot be explained, so the list says that the log was imported."""
    history, old = tmp_path / "Anna_Ben_1_0.txt", tmp_path / "old"
    history.write_text("I\nTp\nZ")
    assert koth("import", "coup-history", history, "-o", old).code == 0
    text = koth("faults", old).out
    assert "1 fault: Anna 1 illegal" in text
    assert "the log was imported" in text
    assert "$ koth" not in text
    assert "cannot be re-run" in koth.complaint("explain", old, "1-000000", code=1)


def test_a_log_whose_name_begins_with_a_dash(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that explains its fault works as it is printed."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "-o.jsonl", illegal_match(), hex_seed(SHORT))
    [command] = (line for line in koth("faults", "./-o.jsonl").out.splitlines() if "$ koth" in line)
    assert command.startswith("  $ koth explain ./-o.jsonl ")
    assert koth(*shlex.split(command)[2:]).code == 0
