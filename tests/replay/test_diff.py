"""The first difference between two logs."""

from __future__ import annotations

import errno
import os
import random
from pathlib import Path
from typing import Any

import orjson
import pytest

from replay import render, timeline
from replay.diff import diff
from schema.errors import LogError
from tests import contests
from tests.factories import Player, at_random, match_events, printed, sealed, write
from tests.replay.edits import edited
from tests.replay.log_factory import SHORT, crash_match, hex_seed, random_match, short, with_seq

SEED = hex_seed(SHORT)


@pytest.fixture
def one(tmp_path: Path) -> Path:
    """The log of the short match."""
    return write(tmp_path / "one.jsonl", short(), SEED)


def test_no_difference(one: Path, tmp_path: Path) -> None:
    """A log and its copy do not differ."""
    found = diff(one, write(tmp_path / "copy.jsonl", short(), SEED))
    assert found.seq is None
    assert render.difference_text(found) == "no difference"
    assert orjson.loads(render.difference_json(found))["seq"] is None


def test_a_path_that_is_not_utf_8(one: Path, tmp_path: Path) -> None:
    """Its bytes are escaped, because JSON is UTF-8."""
    copy = write(tmp_path / os.fsdecode(b"copy\xff.jsonl"), short(), SEED)
    found = orjson.loads(render.difference_json(diff(one, copy)))
    assert found["paths"] == [str(one), str(tmp_path / r"copy\udcff.jsonl")]


def test_the_first_difference(one: Path, tmp_path: Path) -> None:
    """The first event that differs is named with its field, both values and what is around it."""
    changed = edited(edited(short(), 6, "seat", 5), 9, "type", "dealt")[:9]
    other = write(tmp_path / "other.jsonl", [*changed, *short()[9:]], SEED)
    found = diff(one, other)
    assert found.paths == (str(one), str(other))
    assert (found.seq, found.field, found.values) == (6, "seat", (short()[6]["seat"], 5))
    assert list(found.before) == with_seq(short())[1:6]
    assert list(found.after[0]) == with_seq(short())[6:11]
    assert found.after[1][0]["seat"] == 5
    assert found.ends[0] == found.ends[1] == with_seq(short())[-1]


def test_different_matches(one: Path, tmp_path: Path) -> None:
    """Two matches differ in their headers; the first difference after them is the first die."""
    other = write(tmp_path / "other.jsonl", random_match(7), hex_seed(7))
    found = diff(one, other)
    assert found.header == ["tournament", "seed_commitment"]
    assert (found.seq, found.field.partition("[")[0]) == (1, "hands")
    assert found.ends == (with_seq(short())[-1], with_seq(random_match(7))[-1])


def test_a_match_and_its_replay_with_another_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The header is named in one line, then the first decision that differs, with its question;
    it is not left out because no file can be opened.
    """
    logs = []
    for name, number in (("one", 1), ("two", 2)):
        events = match_events(at_random(random.Random(number)), SEED)
        events[0] = events[0] | {"players": [{**events[0]["players"][0], "name": name}]}
        events[0]["players"] += [short()[0]["players"][1]]
        logs.append(write(tmp_path / f"{name}.jsonl", events, SEED))
    found = diff(*logs)
    assert found.header == ["players"]
    assert [event["seq"] for event in found.before] == list(range(1, found.seq or 0))
    assert found.question is not None
    text = render.difference_text(found)
    assert text.startswith("the headers differ in players\nfirst difference: line ")
    assert f"the question: '{found.question['ask']}'" in text
    assert orjson.loads(render.difference_json(found))["question"]["legal"]

    def refused(path: Path) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), str(path))

    monkeypatch.setattr(timeline, "notes", refused)
    with pytest.raises(OSError, match="Too many open files"):
        diff(*logs)


def test_headers_that_differ_alone(one: Path, tmp_path: Path) -> None:
    """Logs that differ only in their headers differ, and the text says so."""
    other = write(tmp_path / "other.jsonl", edited(short(), 0, "tournament", "x"), SEED)
    found = diff(one, other)
    assert (found.seq, found.header) == (0, ["tournament"])
    assert (found.field, found.values) == ("tournament", (short()[0]["tournament"], "x"))
    assert render.difference_text(found) == "the headers differ in tournament; all else is the same"


def test_logs_of_two_games_differ_in_their_first_events(one: Path, tmp_path: Path) -> None:
    """Headers are compared by their fields only in matches of the same rules."""
    other = write(tmp_path / "other.jsonl", match_events(saying("x"), game="coins", rounds=1))
    found = diff(one, other)
    assert (found.header, found.seq, found.field) == ((), 0, "game")


@pytest.mark.parametrize("left", [0, 1, 8])
def test_headers_differ_and_one_log_ends(left: int, one: Path, tmp_path: Path) -> None:
    """The shorter log ends at the difference, and the headers are named unless it is empty."""
    lines = sealed(edited(short(), 0, "tournament", "x"), SEED).splitlines(keepends=True)
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"".join(lines[:left]))
    header = ["tournament"] if left else []
    for found in diff(one, other), diff(other, one):
        assert ([*found.header], found.seq, found.field) == (header, left, "")


def test_a_question_is_that_of_the_first_log(one: Path, tmp_path: Path) -> None:
    """It is known if the first log has its seal and the event is an answer; it has no seat."""
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(sealed(crash_match(), SEED)[:-10])
    found = diff(one, torn)
    assert found.question is not None
    assert [*found.question] == ["ask", "observation", "legal"]
    assert diff(torn, one).question is None
    for seq, field, value in (5, "card", "!"), (7, "coins[0]", 5), (18, "cause", "coup"):
        other = write(tmp_path / f"{seq}.jsonl", edited(short(), seq, field, value), SEED)
        assert diff(one, other).seq == seq
        assert diff(one, other).question is None


def test_seals_with_different_seeds_of_one_commitment(one: Path, tmp_path: Path) -> None:
    """Below headers that differ, seals with different seeds differ, too; one seed is forged."""
    other = write(tmp_path / "other.jsonl", edited(short(), 0, "tournament", "x"), hex_seed(7))
    found = diff(one, other)
    assert (found.header, found.seq, found.field) == (["tournament"], len(short()), "seed")


def test_a_match_that_ended_earlier(one: Path, tmp_path: Path) -> None:
    """The same match with a crash in its third call parts there, and says how each went on."""
    other = write(tmp_path / "other.jsonl", crash_match(), SEED)
    found = diff(one, other)
    assert found.seq == len(crash_match()) - 2
    assert (found.field, found.values) == ("type", ("answered", "fault"))
    text = render.difference_text(found)
    assert text.startswith(f"first difference: line {found.seq + 1}, event {found.seq}, field type")
    assert f"{one} continues:" in text
    assert '"reason":"forfeit"' in text


def test_each_event_is_told_in_a_sentence(one: Path, tmp_path: Path) -> None:
    """Each shown event has its sentence, and below it the event; JSON holds them by ``seq``."""
    found = diff(one, write(tmp_path / "other.jsonl", crash_match(), SEED))
    log = timeline.read(one)
    events: list[Any] = [*found.before, *found.after[0], found.ends[0]]
    shown = [event["seq"] for event in events]
    assert found.sentences[0] == {str(seq): log[seq].sentence for seq in shown}
    text = render.difference_text(found).splitlines()
    seq = found.seq or 0
    at = text.index(f"    {seq}  {log[seq].sentence}")
    assert text[at + 1].strip().startswith(f'{{"seq":{seq},"type":"answered"')
    assert "player0 crashes: it forfeits (CP-17)." in "\n".join(text)
    assert orjson.loads(render.difference_json(found))["sentences"] == list(found.sentences)


def saying(said: str) -> Player:
    """A player that prints the same at each turn."""
    return lambda ask: printed(said)


def test_hostile_names_and_answers_stay_in_their_lines(tmp_path: Path) -> None:
    """No line of the text holds a character that a terminal obeys."""
    logs = []
    for number, said in enumerate(("\x1b[2J\0\n\u202e<b>", "\x9b31m")):
        events = match_events(saying(said), game="coins", rounds=1)
        for player in events[0]["players"]:
            player["name"] += "\u202e<b>[red]"
        logs.append(write(tmp_path / f"{number}.jsonl", events))
    text = render.difference_text(diff(*logs)).splitlines()
    assert all(line.isprintable() for line in text)
    assert any(r"player0\u202e<b>[red] gives an illegal answer" in line for line in text)


@pytest.mark.parametrize("swapped", [False, True])
def test_one_log_is_shorter(one: Path, tmp_path: Path, swapped: bool) -> None:
    """A log that stops earlier differs in the first event that it does not have."""
    lines = one.read_bytes().splitlines(keepends=True)
    shorter = tmp_path / "shorter.jsonl"
    shorter.write_bytes(b"".join(lines[:8]) + lines[8][:20])
    found = diff(shorter, one) if swapped else diff(one, shorter)
    assert (found.seq, found.field) == (8, "")
    assert found.values[swapped] == with_seq(short())[8]
    assert found.values[not swapped] is None
    assert found.ends[not swapped] is None


def test_two_incomplete_logs(one: Path, tmp_path: Path) -> None:
    """Logs without a seal are compared as far as they go; an empty file has no events."""
    torn, empty = tmp_path / "torn.jsonl", tmp_path / "empty.jsonl"
    torn.write_bytes(one.read_bytes()[:-10])
    empty.write_bytes(b"")
    assert diff(torn, torn).seq is None
    assert diff(empty, empty).seq is None
    assert diff(torn, empty).seq == 0


def test_the_logs_of_contests(one: Path, tmp_path: Path) -> None:
    """The log of a contest is compared with another one, or with a match, event by event."""
    cup = contests.new(tmp_path / "cup")
    other = contests.new(tmp_path / "other")
    contests.rewrite(other, [*contests.events(other), {"type": "withdrawn", "name": "anna"}])
    found = diff(cup / "contest.jsonl", other / "contest.jsonl")
    assert (found.seq, found.field) == (1, "")
    assert found.sentences[1] == {"1": "anna is withdrawn."}
    assert [end and end["type"] for end in found.ends] == ["contest_started", "withdrawn"]
    assert diff(one, cup / "contest.jsonl").field == "type"


def test_a_difference_as_json(one: Path, tmp_path: Path) -> None:
    """The JSON holds the difference in full, and names its own format."""
    other = write(tmp_path / "other.jsonl", edited(short(), 6, "seat", 5), SEED)
    shown = orjson.loads(render.difference_json(diff(one, other)))
    assert (shown["format"], shown["seq"], shown["field"]) == ("koth-diff/1", 6, "seat")
    assert shown["paths"] == [str(one), str(other)]
    assert shown["values"] == [short()[6]["seat"], 5]
    assert len(shown["before"]) == 5


def test_a_path_that_is_not_utf8(one: Path, tmp_path: Path) -> None:
    """JSON and text have the path with escapes."""
    other = write(tmp_path / os.fsdecode(b"\xff.jsonl"), edited(short(), 6, "seat", 5), SEED)
    found = diff(one, other)
    assert orjson.loads(render.difference_json(found))["paths"][1] == rf"{tmp_path}/\udcff.jsonl"
    assert rf"{tmp_path}/\udcff.jsonl continues:" in render.difference_text(found)


def test_a_file_that_is_no_log(one: Path, tmp_path: Path) -> None:
    """A corrupt file is refused by name."""
    other = tmp_path / "other.jsonl"
    other.write_bytes(sealed(short(), SEED).replace(b"dealt", b"delta"))
    with pytest.raises(LogError, match=r"other\.jsonl"):
        diff(one, other)


@pytest.mark.parametrize("lines", [0, 10])
def test_a_log_that_ends_earlier(lines: int, one: Path, tmp_path: Path) -> None:
    """The text says which log ends, and has no empty parts; so has an empty file's."""
    short = tmp_path / "short.jsonl"
    short.write_bytes(b"".join(one.read_bytes().splitlines(keepends=True)[:lines]))
    for paths in ((one, short), (short, one)):
        text = render.difference_text(diff(*paths)).splitlines()
        place = f"line {lines + 1}, event {lines}"
        assert text[0] == f"first difference: {place}, {short} ends there"
        assert text[1].startswith(f"  {one}: {{")
        assert ("before it, the same in both:" in text) == bool(lines)
        assert f"{one} continues:" in text
        assert f"{short} continues:" not in text
