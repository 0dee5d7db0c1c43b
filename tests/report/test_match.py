"""The page of a match: its contents, and its text without a script."""

from __future__ import annotations

import gzip
import random
import re
from base64 import b64decode
from itertools import chain
from pathlib import Path
from typing import Any
from weakref import ref

import orjson
import pytest

from replay import timeline
from replay.rerun import Step
from replay.timeline import Explanation, Timeline
from report import match
from report.one_page import one_page
from schema.executor import serial
from tests.corpus.entries import HERE as CORPUS
from tests.corpus.entries import LOG
from tests.corpus.recipes import ENTRIES
from tests.factories import at_random, match_events, sealed, write
from tests.replay.log_factory import SHORT, crash_match, hex_seed, short
from tests.report.matches import (
    CLEAN,
    finding,
    hostile,
    hostile_page,
    page_of,
    with_a_forged_fault,
)
from tests.report.page_text import Page
from tests.sampling import is_sampled, sampled

Entry = dict[str, Any]


def unpacked(page: str) -> tuple[dict[str, Any], list[Entry]]:
    """The index and the events that a page holds."""
    index, *pieces = (
        orjson.loads(gzip.decompress(b64decode(text)))
        for text in re.findall(r'<script type="application/gzip" id="[^"]+">([^<]*)<', page)
    )
    return index, list(chain.from_iterable(pieces))


def states(entries: list[Entry]) -> list[object]:
    """The states that they lead to, one from the other."""
    found: list[object] = []
    for entry in entries:
        state = {"": entry["state"] if "state" in entry else orjson.loads(orjson.dumps(found[-1]))}
        for path, value in entry.get("changes", ()):
            place: Any = state
            for key in ("", *path)[:-1]:
                place = place[key]
            place[("", *path)[-1]] = value
        found.append(state[""])
    return found


@pytest.fixture(params=["hostile", "joint"])
def one(request: pytest.FixtureRequest, tmp_path: Path) -> Timeline:
    """Matches that take several pieces: one with faults, one whose answers are joint."""
    rng = random.Random(2)
    events = (
        hostile()
        if request.param == "hostile"
        else match_events(at_random(rng), game="smallest_unique", players=10, rounds=600)
    )
    return timeline.read(write(tmp_path / "log.jsonl", events))


def test_the_page_holds_the_timeline(one: Timeline) -> None:
    """Out of the data in the page come every event, clause, answer and die, and every state."""
    assert one.verdict is not None
    index, entries = unpacked(match.page(one, one.verdict, CLEAN))
    assert [entry["event"] for entry in entries] == list(one.log.events)
    assert [entry.get("clause", "") for entry in entries] == [step.clause for step in one.steps]
    assert states(entries) == [step.state for step in one.steps]
    for found, entry in zip(one, entries, strict=True):
        assert entry.get("answer") == (found.answer and found.answer.seq)
        assert entry.get("dice", []) == [die._asdict() for die in found.dice]
        if found.answer is found.step and found.ask is not None:
            assert entry["question"]["legal"] == list(found.ask.legal)
    assert [index["types"][number] for number in index["type"]] == [
        event["type"] for event in one.log.events
    ]


def test_the_page_is_small(one: Timeline) -> None:
    """It grows by less than 200 bytes an event: 80,000 events of such a match are 16 MB."""
    assert one.verdict is not None
    page = match.page(one, one.verdict, CLEAN)
    frame = len(page) - sum(map(len, re.findall(r'gzip" id="[^"]+">([^<]*)<', page)))
    assert frame < 82_000
    assert (len(page) - frame) / len(one) < 200


def test_equal_logs_make_equal_pages(tmp_path: Path) -> None:
    """Nothing on the page but log, evidence and audit: made elsewhere it is the same."""
    (tmp_path / "elsewhere").mkdir()
    logs = [
        write(folder / "log.jsonl", short(), hex_seed(SHORT))
        for folder in (tmp_path, tmp_path / "elsewhere")
    ]
    assert page_of(logs[0]) == page_of(logs[1])


def test_nothing_hostile_stands_in_the_page(tmp_path: Path) -> None:
    """Names, answers, notes and findings are text: no element comes of them."""
    text = hostile_page(tmp_path).read_text()
    page = Page(text)
    tags = [tag for tag, _ in page.tags]
    assert (tags.count("img"), tags.count("b")) == (0, 0)
    runs = [attributes for tag, attributes in page.tags if tag == "script"]
    assert {one.get("type") for one in runs} == {"application/gzip", None}
    assert sum("type" not in one for one in runs) == 1 + len(match.SCRIPTS)  # and the board
    assert all(not name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert "document.title" in page.words("failed")
    for unseen in "\u202e\u2028\u00ad\x1b":
        assert unseen not in text


def test_the_essentials_need_no_script(tmp_path: Path) -> None:
    """The page shows result, verdict, findings and faults without a script."""
    page = Page(hostile_page(tmp_path).read_text())
    assert "Coins, match 1-000000" in page.words("")
    assert "Every event was recomputed from the seed" in page.words("result")
    assert "✓ verified" in page.words("")
    assert "As recorded" not in page.words("result")
    events = hostile()
    faults = [(n, event) for n, event in enumerate(events) if event["type"] == "fault"]
    for row, player in zip(page.table("players"), events[0]["players"], strict=True):
        seat = player["seat"]
        assert row[0] == str(seat)
        assert row[2] == str(events[-1]["scores"][seat])
        assert (row[3] == "★ won") == (seat in events[-1]["winners"])
        assert row[4].endswith(str(sum(event["seat"] == seat for _, event in faults)))
    [found] = page.table("audit")
    assert found[:2] == ["20", "coins/garbage (CN-7, error)Something is wrong."]
    assert [row[0] for row in page.table("failed")] == [str(seq) for seq, _ in faults]
    assert "▲ 40 faults" in page.words("failed")
    assert "host <b>here: the referee’s word, which no replay can check" in page.words("")


def test_a_fault_of_a_seat_without_a_player_is_told(tmp_path: Path) -> None:
    """A forged log that names a seat which nobody has gets a page that names the seat, too."""
    log = write(tmp_path / "log.jsonl", with_a_forged_fault(hostile(), seat=9))
    text, is_clean = one_page(log, serial, lambda done, total: None, None)
    assert not is_clean
    assert Page(text).table("failed")[0][1] == "seat 9"


def test_a_divergence_is_told(tmp_path: Path) -> None:
    """The page shows a divergence with its field, both values and both events."""
    events = short()
    wrong = next(seq for seq, event in enumerate(events) if event["type"] == "coins_moved")
    events[wrong]["coins"] = [7, 7]
    text = page_of(write(tmp_path / "log.jsonl", events, hex_seed(SHORT)))
    page, (index, entries) = Page(text), unpacked(text)
    assert "✕ diverged" in page.words("")
    assert page.words("result").startswith("As recorded: ")
    told = page.words("divergence")
    assert f"diverges at event {wrong}" in told
    assert "coins[0]" in told
    assert '"coins":[7,7]' in told
    assert (index["divergence"]["seq"], index["divergence"]["recorded"]) == (wrong, 7)
    assert index["replayed"] == wrong
    assert all(entry["state"] is None for entry in entries[wrong:])


FORGED = {
    name: CORPUS / name / LOG
    for name, entry in ENTRIES.items()
    if entry.verdicts.get(LOG) in ("diverged", "forged") and not entry.extras
}
"""The logs of single matches that are not what they seem, by the name of the attack."""


@pytest.mark.parametrize(
    "log", sampled(FORGED, {"choice_out_of_range", *(n for n in FORGED if is_sampled(n, 20))})
)
def test_every_forged_log_has_a_page(log: Path) -> None:
    """The page of a log that the rules do not lead to has its verdict, whatever was changed."""
    text, is_clean = one_page(log, serial, lambda done, total: None, None)
    assert not is_clean
    assert re.search("✕ (diverged|forged)", Page(text).words(""))


def test_a_log_without_its_seal(tmp_path: Path) -> None:
    """The page of an unfinished match shows the recorded events, and invents no result."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(sealed(crash_match(), hex_seed(SHORT)).splitlines(True)[:-2]))
    unread = {"unread": [{"path": "log.jsonl", "verdict": "incomplete", "reason": "no seal"}]}
    page = Page(page_of(path, CLEAN | unread))
    assert "… incomplete" in page.words("")
    assert page.words("result").startswith("No result")
    assert [row[2] for row in page.table("players")] == ["–", "–"]
    assert page.words("audit") == "Audit: not audited incomplete: no seal"
    assert [row[2:4] for row in page.table("failed")] == [["crash", "CP-17"]]


def test_a_finding_about_no_event(tmp_path: Path) -> None:
    """A finding about the whole log is in the table of the audit, and not on the timeline."""
    text = page_of(write(tmp_path / "log.jsonl", short(), hex_seed(SHORT)), finding(None))
    assert [row[0] for row in Page(text).table("audit")] == ["–"]
    assert unpacked(text)[0]["findings"] == []


def test_no_number_is_rounded_and_no_text_too_long() -> None:
    """A number that JavaScript would round becomes text; a text that is too long is cut."""
    value = {"a": [2**53, -(2**63), 2**53 - 1], "b": "x" * 5000, "c": "y"}
    assert orjson.loads(orjson.dumps(match._plain(value))) == {
        "a": [{"\0int": str(2**53)}, {"\0int": str(-(2**63))}, 2**53 - 1],
        "b": {"\0cut": "x" * match.LONGEST, "end": "x" * match.END, "of": 5000},
        "c": "y",
    }
    assert orjson.loads(orjson.dumps(match._plain("x" * 5000)))["of"] == 5000


def test_notes_on_the_match_are_in_words(tmp_path: Path) -> None:
    """The conditions of a match, limits included, are sentences without a program's notation."""
    log = write(tmp_path / "log.jsonl", short(), hex_seed(SHORT))
    (tmp_path / "evidence").mkdir()
    note = {"limits": {"wall_s": 10, "memory": None}, "cold": True, "kinds": ["a", 1.5, False]}
    (tmp_path / "evidence" / "log.jsonl").write_bytes(orjson.dumps(note))
    told = "noted limits wall_s 10; memory none, cold yes, kinds a, 1.5, no: the referee"
    assert told in Page(page_of(log)).words("")


def test_raw_bytes_are_shown(tmp_path: Path) -> None:
    """An answer that is no UTF-8 is shown byte by byte."""
    page = Page(hostile_page(tmp_path).read_text())
    assert {row[6] for row in page.table("failed")} >= {"output FFFE<b>", "nothing on record"}


def test_notes_on_joint_answers_name_their_seats(tmp_path: Path) -> None:
    """A round has the notes of all seats, each with its standard error; a wrong seat has none."""
    events = match_events(
        at_random(random.Random(2), 3), game="smallest_unique", players=3, seats=3, rounds=2
    )
    log = write(tmp_path / "log.jsonl", events)
    notes: list[dict[str, object]] = [
        {"seat": 2, "stderr": "two\n"},
        {"seat": 0, "ms": 1.5},
        {"seat": "1", "stderr": 7},
    ]
    (tmp_path / "evidence").mkdir()
    lines = (orjson.dumps({"seq": 1, "ask": "select", **note}) + b"\n" for note in notes)
    (tmp_path / "evidence" / "log.jsonl").write_bytes(b"".join(lines))
    _, entries = unpacked(page_of(log))
    assert entries[1]["notes"] == [
        {"seat": 2, "stderr": "two\n", "values": {}},
        {"seat": 0, "stderr": "", "values": {"ms": 1.5}},
        {"seat": None, "stderr": "", "values": {}},
    ]
    assert "notes" not in entries[2]


def test_a_page_is_made_event_by_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page keeps no state, question or die of an event that is packed already."""
    entry, steps = match._entry, list[ref[Step]]()

    def watched(explanation: Explanation) -> dict[str, object]:
        steps.append(ref(explanation.step))
        assert sum(step() is not None for step in steps) < 10
        return entry(explanation)

    monkeypatch.setattr(match, "_entry", watched)
    log = write(tmp_path / "log.jsonl", short(), hex_seed(SHORT))
    one_page(log, serial, lambda done, all: None, None)
    assert len(steps) == len(short()) + 1
