"""Logs of a driver of the rules verify; impossible logs get their verdicts."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.table import Answer, Ask, Fault, Reply
from koth.workers import workers
from replay import streaming_verify, verdict_render
from replay.log_verdict import LogVerdict
from replay.rerun import first_divergence, rerun
from replay.verify import verify, verify_all
from schema.bot_output import CAP
from tests.factories import SEED, Player, at_random, match_events, sealed, write
from tests.koth.commands import Koth
from tests.replay.edits import edited
from tests.replay.log_factory import (
    SHORT,
    crash_match,
    hex_seed,
    illegal_match,
    log_of,
    random_match,
    short,
    tournament_events,
    tournament_folder,
    verdict_on,
)

CHANNELS = st.dictionaries(st.sampled_from(["output", "appended", "file"]), st.binary(max_size=9))
STOPPED = st.builds(
    Fault,
    st.sampled_from(["crash", "timeout", "oversize", "tampered"]),
    CHANNELS,
    st.sampled_from([None, "a pipe", "nothing"]),
)
NEVER_LEGAL = st.builds(
    lambda tail: Answer({"output": b"", "appended": b"?" + tail}), st.binary(max_size=9)
)


def failing(reply: Reply, after: int, otherwise: Player) -> Player:
    """A player that gives ``reply`` from its call ``after`` on."""
    left = [after]

    def play(ask: Ask) -> Reply:
        left[0] -= 1
        return reply if left[0] < 0 else otherwise(ask)

    return play


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 200))
def test_every_match_verifies(number: int, max_calls: int) -> None:
    """A match verifies up to its seal for all answers."""
    log = log_of(random_match(number, max_calls=max_calls), hex_seed(number))
    again = rerun(log)
    assert [step.event for step in again] == log.events
    assert again.divergence is None


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 30), STOPPED | NEVER_LEGAL)
def test_every_match_with_a_fault_verifies(number: int, after: int, reply: Reply) -> None:
    """A match that ends by a fault is replayed with the fault, for any output of the bot."""
    player = failing(reply, after, at_random(random.Random(number)))
    log = log_of(match_events(player, hex_seed(number)), hex_seed(number))
    assert first_divergence(log) is None


@pytest.mark.parametrize("channel", ["output", "appended", "file"])
@pytest.mark.parametrize("written", [b"\xff" * (CAP + 1), "é".encode() * CAP, b"x" * CAP])
def test_an_answer_as_long_as_the_cap_verifies(channel: str, written: bytes) -> None:
    """Raw bytes that were cut, also within a character, come out of the log as they went in."""
    reply = Fault("oversize", {channel: written})
    log = log_of(match_events(failing(reply, 0, at_random(random.Random(1)))))
    assert ("cut" in log.events[2]) == (len(written) > CAP)
    assert first_divergence(log) is None


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(1, 2))
def test_every_tournament_log_verifies(number: int, entrants: int, rounds: int) -> None:
    """A tournament's own log is replayed like a match."""
    log = log_of(tournament_events(hex_seed(number), entrants, rounds), hex_seed(number))
    again = rerun(log)
    assert [step.event for step in again] == log.events
    assert again.divergence is None


def test_a_whole_tournament_verifies(tmp_path: Path) -> None:
    """All match logs of a tournament verify, and so does its own log beside them."""
    logs = tournament_folder(tmp_path)
    assert len(logs) == 13
    assert {one.verdict for one in verify_all(logs)} == {"verified"}


def test_a_verdict_counts_the_events(tmp_path: Path) -> None:
    """The verdict on a verified log has the number of its events, with the seal."""
    path = write(tmp_path / "log.jsonl", short(), hex_seed(848))
    told = verify(path)
    assert told.fine
    assert told == LogVerdict(str(path), "verified", told.reason, None, 21)


def test_two_jobs_give_the_same_verdicts(tmp_path: Path) -> None:
    """Good and bad logs get the same verdicts from two processes, in the same order."""
    good = tournament_folder(tmp_path)
    bad = write(tmp_path / "bad.jsonl", edited(illegal_match(), 1, "coins[0]", 7), hex_seed(848))
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(good[0].read_bytes()[:-40])
    logs = [*good[:5], bad, *good[5:], torn, tmp_path / "missing.jsonl"]
    one = list(verify_all(logs))
    assert [told.verdict for told in one if not told.fine] == ["diverged", "incomplete", "corrupt"]
    with workers(2) as each:
        assert list(verify_all(logs, each)) == one


@pytest.mark.parametrize(
    ("seed", "digits"),
    [("7", "1 significant digit"), ("f" * 23, "23 significant digits"), ("f" * 24, ""), (SEED, "")],
)
def test_a_short_seed_is_marked(seed: str, digits: str, tmp_path: Path) -> None:
    """A seed that bots could guess leaves the verdict as it is, and is named in its reason."""
    seed = seed.zfill(64)
    events = match_events(at_random(random.Random(1)), seed)
    verdict = verify(write(tmp_path / "log.jsonl", events, seed))
    assert verdict.verdict == "verified"
    told = f"; the commitment hid nothing: the seed has only {digits}"
    assert verdict.reason.endswith(told if digits else "events follow from seed and answers")


def test_the_wrong_seed_is_forged(tmp_path: Path) -> None:
    """A seal that reveals another seed than the one committed to is forged."""
    told = verdict_on(tmp_path / "log.jsonl", sealed(short(), hex_seed(849)))
    assert (told.verdict, told.line, told.events) == ("forged", 21, 21)


def test_another_seed_with_its_commitment_diverges(tmp_path: Path) -> None:
    """Seed and commitment both replaced: the deal does not follow from the new seed."""
    other = match_events(at_random(random.Random(1)), hex_seed(849))[0]["seed_commitment"]
    events = edited(short(), 0, "seed_commitment", other)
    told = verdict_on(tmp_path / "log.jsonl", sealed(events, hex_seed(849)))
    assert told.verdict == "diverged"
    assert told.divergence is not None
    assert told.divergence.seq == 1


def test_an_imported_log_has_nothing_to_re_run(tmp_path: Path) -> None:
    """A record from elsewhere, without commitment and seed, is imported, and is no finding."""
    events = short()
    commitment = events[0].pop("seed_commitment")
    events[0]["source"] = "imported"
    data = sealed(events).replace(b'"seed":"' + b"5" * 64 + b'",', b"")
    told = verdict_on(tmp_path / "log.jsonl", data)
    assert (told.verdict, told.fine) == ("imported", True)
    assert (told.line, told.events) == (None, 21)
    events[0]["seed_commitment"] = commitment
    assert verdict_on(tmp_path / "log.jsonl", sealed(events)).verdict == "corrupt"


@pytest.mark.parametrize("content", [b"", b"\n", b"{}\n", b"hello\n", b"\xff\xfe\n", b"[]\n"])
def test_a_file_that_is_no_log(content: bytes, tmp_path: Path) -> None:
    """A file of something else is corrupt; an empty one is a log of which nothing was written."""
    told = verdict_on(tmp_path / "log.jsonl", content)
    assert told.verdict == ("corrupt" if content else "incomplete")


# Doctored logs, each with the fault of its name and all those after it.
def _doctored(*wrongs: str) -> bytes:
    events = illegal_match()
    seed = hex_seed(848)
    if "diverged" in wrongs:
        events = edited(events, 1, "coins[0]", 2)
    if "forged" in wrongs:
        seed = hex_seed(849)
    if "unsupported" in wrongs:
        events = edited(events, 0, "rules", "coup/99")
    data = sealed(events, seed)
    if "incomplete" in wrongs:
        data = b"".join(data.splitlines(keepends=True)[:-1])
    if "corrupt" in wrongs:
        data = data.replace(b'"seq":2', b'"seq":3', 1)
    return data


ORDER = ("corrupt", "unsupported", "incomplete", "forged", "diverged")


@pytest.mark.parametrize("first", range(len(ORDER)))
@pytest.mark.parametrize("second", range(len(ORDER)))
def test_the_first_verdict_that_applies_is_given(first: int, second: int, tmp_path: Path) -> None:
    """If two verdicts apply to a log, it gets the earlier one in the documented order."""
    told = verdict_on(tmp_path / "log.jsonl", _doctored(ORDER[first], ORDER[second]))
    assert told.verdict == ORDER[min(first, second)]


def test_nothing_wrong_at_all(tmp_path: Path) -> None:
    """The log that the doctored ones are made of verifies."""
    assert verdict_on(tmp_path / "log.jsonl", _doctored()).verdict == "verified"


@pytest.mark.parametrize(
    ("path", "value"),
    [("format", "koth-log/2"), ("rules", "coup/3"), ("game", "chess")],
)
def test_what_this_program_does_not_know_is_unsupported(
    path: str, value: str, tmp_path: Path
) -> None:
    """A newer format, other rules and other games are unsupported, and named."""
    told = verdict_on(tmp_path / "log.jsonl", sealed(edited(short(), 0, path, value)))
    assert (told.verdict, told.line) == ("unsupported", 1)
    assert value in told.reason


def test_a_newer_format_may_hold_unknown_events(tmp_path: Path) -> None:
    """The format is read before events are validated against their models."""
    events = edited(short(), 0, "format", "koth-log/2")
    events.insert(2, {"type": "tea_break", "minutes": 5})
    assert verdict_on(tmp_path / "log.jsonl", sealed(events)).verdict == "unsupported"


def test_the_kind_of_a_stopped_bot_is_the_referees_word(tmp_path: Path) -> None:
    """A crash recorded as a timeout verifies: the rules do not derive how a bot failed."""
    events = edited(crash_match(), len(crash_match()) - 2, "kind", "timeout")
    assert verdict_on(tmp_path / "log.jsonl", sealed(events, hex_seed(848))).verdict == "verified"


@pytest.mark.parametrize(
    "content", [b"\xff\xff", b'{"seq":0,"type":"\xed\xa0\x80"}', b"\x1f\x8c\x08\x00\xa7"]
)
def test_what_is_no_utf8_is_told_by_its_byte(content: bytes, tmp_path: Path) -> None:
    """The message names the first byte of a line that is not valid UTF-8."""
    told = verdict_on(tmp_path / "log.jsonl", content + b"\n")
    place = next(n for n, byte in enumerate(content) if byte > 127)
    assert (told.verdict, told.line) == ("corrupt", 1)
    expected = (
        f"expected text in UTF-8, found {content[place]:#04x} as byte {place + 1} of the line"
    )
    assert told.reason == expected


# --- Names of files ------------------------------------------------------------------------------

EVIL = "a: verified\n\x1b[2Jforged\x9b.jsonl"


def test_no_name_of_a_file_reaches_the_terminal_raw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Control characters in a path are printed as escapes, also inside a reason."""
    tournament_folder(tmp_path / EVIL)
    match = tmp_path / EVIL / "matches" / EVIL
    write(match, short(), hex_seed(SHORT))
    (tmp_path / EVIL / "checkpoint").write_bytes(b"")
    told = Koth(capsys)("verify", tmp_path)
    assert all(line.isprintable() for line in (*told.out.splitlines(), *told.err.splitlines()))
    assert len(told.out.splitlines()) == 16
    assert r"a: verified\n\x1b[2Jforged\x9b.jsonl/matches/a: verified\n" in told.out
    assert r"a: verified\n\x1b[2Jforged\x9b.jsonl/checkpoint: its" in told.err


def test_no_content_of_a_log_reaches_the_terminal_raw(tmp_path: Path) -> None:
    """Control characters in a bot's output are printed as escapes, as in a log."""
    events = edited(short(), 2, "output", "\x9b2J")
    events = edited(events, 3, "seat", 1 - events[3]["seat"])
    told = verdict_on(tmp_path / "log.jsonl", sealed(events, hex_seed(SHORT)))
    assert told.divergence is not None
    assert r'"output":"\x9b2J"' in verdict_render.verdicts_text([told])


def test_a_name_that_is_no_utf8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A log whose name is no text gets its verdict, as text and as JSON."""
    path = Path(os.fsdecode(bytes(tmp_path / "spring") + b"\xff"))
    tournament_folder(path)
    write(path / "matches" / os.fsdecode(b"\xfe.jsonl"), illegal_match(), hex_seed(1))
    write(path / "matches/1-000099.jsonl", short(), hex_seed(SHORT))
    koth = Koth(capsys)
    told = koth("verify", path, "--format", "json")
    assert told.code == 1
    found = {one["verdict"]: one for one in told.json["logs"]}
    assert found["forged"]["path"] == rf"{tmp_path}/spring\udcff/tournament.jsonl"
    assert rf"{tmp_path}/spring\udcff/matches/1-000099.jsonl" in found["forged"]["reason"]
    told = koth("verify", path)
    assert told.code == 1
    assert rf"{tmp_path}/spring\udcff/matches/\udcfe.jsonl" in told.out


@pytest.mark.parametrize(
    ("verdict", "line", "legible"),
    [
        ("corrupt", 2, False),
        ("unsupported", 1, False),
        ("incomplete", 1, False),
        ("incomplete", 2, True),
        ("forged", 1, True),
        ("verified", None, True),
    ],
)
def test_a_log_with_events_of_a_known_game_is_legible(
    verdict: str, line: int | None, legible: bool
) -> None:
    """A log has a page unless it is damaged, unknown, or without any event."""
    assert LogVerdict("match.jsonl", verdict, "", line).legible == legible


def test_a_log_that_does_not_fit_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that takes more memory than there is has a verdict, as a bad file has."""

    def verified(path: Path) -> None:
        raise MemoryError

    monkeypatch.setattr(streaming_verify, "verified", verified)
    path = write(tmp_path / "match.jsonl", random_match(1), hex_seed(1))
    assert verify(path).verdict == "corrupt"
    assert "memory" in verify(path).reason


def test_one_bad_file_keeps_no_other_from_its_verdict(tmp_path: Path) -> None:
    """A pipe, a device and a file with a hole of a terabyte beside honest logs get their lines."""
    logs = tournament_folder(tmp_path / "spring")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "zero.jsonl").symlink_to("/dev/zero")
    with (tmp_path / "hole.jsonl").open("wb") as file:
        file.truncate(1 << 40)
    bad = [tmp_path / f"{name}.jsonl" for name in ("pipe", "zero", "hole")]
    found = {one.path: one for one in verify_all([*bad, *logs])}
    assert {found[str(log)].verdict for log in logs} == {"verified"}
    assert [found[str(log)].verdict for log in bad] == ["corrupt"] * 3
    assert "expected a regular file, found a pipe" in found[str(bad[0])].reason
    assert "expected a regular file, found a device" in found[str(bad[1])].reason
