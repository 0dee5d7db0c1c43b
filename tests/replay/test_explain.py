"""One ruling explained: clause, question, answer, dice, before and after."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import orjson
import pytest

from games.coup.cards import symbols
from games.table import Answer, ArgvCall, Ask, StreamCall
from replay import render
from replay.errors import NoSuchEvent
from replay.evidence import note, notes, notes_on
from replay.explain import explain
from replay.state import state_at
from replay.timeline import Explanation
from schema import registry, rulebook
from schema.files import LINE_BYTES
from schema.reader import read
from tests.factories import SEED, Events, match_events, write
from tests.replay.log_factory import (
    SHORT,
    crash_match,
    hex_seed,
    illegal_match,
    kinds,
    log_of,
    short,
    tournament_events,
)

LOG = log_of(short(), hex_seed(SHORT))


def explained(kind: str) -> Explanation:
    """The explanation of the short match's first event of a kind."""
    return explain(LOG, kinds(short()).index(kind))


def shell(command: str) -> list[str]:
    """The lines that a shell prints."""
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=True
    ).stdout.splitlines()


def test_the_clause_is_cited_in_full() -> None:
    """Each event of a match but its start and its seal names a clause, and cites the rulebook."""
    clauses = rulebook.clauses(registry.card("coup"))
    for seq in range(len(LOG.events)):
        found = explain(LOG, seq)
        own = seq in (0, len(LOG.events) - 1)
        assert (found.step.clause == "") == own
        assert found.clause_text == ("" if own else clauses[found.step.clause])


@pytest.mark.parametrize("kind", ["dealt", "card_replaced", "cards_exchanged"])
def test_dice_are_recomputed_in_a_shell(kind: str) -> None:
    """The command beside a die prints the shuffled items in the order that the log shows."""
    found = explained(kind)
    [(draw, command)] = found.draws
    order = [line.split()[1] for line in shell(command)]
    assert draw.outcome == " ".join(order)
    event = LOG.events[found.step.seq]
    hands = event.get("hands")
    dealt = "".join(hands) if isinstance(hands, list) else str(event.get("drawn", ""))
    assert symbols(order) == f"{dealt}{event['deck']}"


def test_dice_belong_to_the_event_that_they_were_cast_for() -> None:
    """Events that rest on no die show none."""
    dice = {event["type"] for event in LOG.events if explain(LOG, LOG.events.index(event)).draws}
    assert dice == {"dealt", "card_replaced", "cards_exchanged"}


def test_an_answer_comes_with_its_question() -> None:
    """The explanation of an answer has its question, with arguments and legal actions."""
    for seq, event in enumerate(LOG.events):
        if event["type"] == "answered":
            found = explain(LOG, seq)
            assert found.answer is not None
            assert isinstance(found.ask, Ask)
            assert found.answer.seq == seq
            assert (found.ask.seat, found.ask.name) == (event["seat"], event["ask"])
            assert event["appended"] in found.ask.legal
            assert found.before is not None
            coins = [int(coins) for coins in found.ask.args[:2]]
            assert coins[:: 1 if found.ask.seat else -1] == found.before["coins"]


def test_an_effect_comes_with_the_answer_that_caused_it() -> None:
    """An event that follows from an answer shows that answer and its question."""
    found = explained("coins_moved")
    assert found.answer is not None
    assert found.answer.seq == max(
        seq for seq in range(found.step.seq) if LOG.events[seq]["type"] == "answered"
    )
    assert found.answer.event == LOG.events[found.answer.seq]


def test_nothing_was_asked_before_the_deal() -> None:
    """The start and the deal rest on no answer."""
    for seq in (0, 1):
        found = explain(LOG, seq)
        assert (found.ask, found.answer, found.before) == (None, None, None)


def test_before_and_after() -> None:
    """The states are those of the event before and of the event itself."""
    for seq in range(1, len(LOG.events)):
        found = explain(LOG, seq)
        assert found.before == state_at(LOG, seq - 1).state
        assert found.after == state_at(LOG, seq).state
        assert found.event == LOG.events[seq]


def test_after_an_answer_it_stands_in_the_history() -> None:
    """The state changes first, then the event says so: after an answer the history ends with it."""
    for seq, event in enumerate(LOG.events):
        if event["type"] == "answered":
            after = explain(LOG, seq).after
            assert after is not None
            assert str(after["history"]).endswith(str(event["appended"])), seq


@pytest.mark.parametrize(
    ("events", "kind"), [(illegal_match(), "illegal"), (crash_match(), "crash")]
)
def test_a_fault_is_explained(events: list[dict[str, object]], kind: str) -> None:
    """The explanation of a forfeit has clause CP-17, the question, and the rejected answer."""
    found = explain(log_of(events, hex_seed(SHORT)), len(events) - 2)
    assert found.step.clause == "CP-17"
    assert "forfeits" in found.clause_text
    assert found.answer is not None
    assert found.answer.event["kind"] == kind
    assert found.ask is not None
    assert found.ask.legal
    assert isinstance(found.ask, Ask)
    if kind == "illegal":
        assert found.answer.event["appended"] not in found.ask.legal
    text = render.explanation_text(found)
    for told in (
        "CP-17",
        f"seat {found.ask.seat}",
        f"player{found.ask.seat}",
        "legal: ",
        "before:",
    ):
        assert told in text


def test_an_explanation_as_text() -> None:
    """The text holds line, clause, question, legal actions, answer, die, and both states."""
    found = explained("card_replaced")
    text = render.explanation_text(found)
    assert text.startswith(f"{found.log.path}, line {found.step.seq + 1}\n")
    [(draw, command)] = found.draws
    assert f"event {found.step.seq}: " in text
    assert f"CP-13  {found.clause_text}" in text
    assert f"die '{draw.label}': {draw.outcome}\n  $ {command}" in text
    assert text.index("asked: ") < text.index("legal: ") < text.index("answer, event ")
    assert text.index("before:") < text.index("\nafter: (what changed)\n  deck  ")
    assert found.sentence is not None
    assert text.index(found.sentence) < text.index("event ")


@pytest.mark.parametrize(
    ("observation", "shown"),
    [
        (StreamCall('{"turn":1,"window":["#."]}'), '  line  {"turn":1,"window":["#."]}'),
        (StreamCall("\x1b[31m"), r"  line  \x1b[31m"),
        (StreamCall(""), '  line  ""'),
        (StreamCall("1 2 "), '  line  "1 2 "'),
        (ArgvCall(('{"turn":1}',)), r'  args  ["{\"turn\":1}"]'),
    ],
)
def test_the_line_of_a_stream_bot_is_as_it_reads_it(
    observation: StreamCall | ArgvCall, shown: str
) -> None:
    """Quotes in it are not escaped; other values of a question are JSON."""
    lines = render.question_lines(LOG, Ask(0, "move", observation, ("up",)))
    assert render.text(lines).splitlines()[1] == shown


def test_an_explanation_as_json() -> None:
    """The JSON holds the same, and names its own format."""
    found = explained("card_replaced")
    shown = orjson.loads(render.explanation_json(found))
    [(draw, command)] = found.draws
    assert shown["format"] == "koth-explain/1"
    assert (shown["seq"], shown["clause"]) == (found.step.seq, "CP-13")
    assert shown["sentence"] == found.sentence
    assert shown["clause_text"] == found.clause_text
    assert shown["dice"] == [{"label": draw.label, "outcome": draw.outcome, "command": command}]
    assert (shown["before"], shown["after"]) == (found.before, found.after)
    assert found.ask is not None
    assert shown["asked"]["legal"] == list(found.ask.legal)
    assert found.answer is not None
    assert shown["answer"] == {"seq": found.answer.seq, **found.answer.event}


def test_a_tournament_is_explained() -> None:
    """In a tournament's log, matches rest on CP-19 and the final table on CP-20."""
    log = log_of(tournament_events(), SEED)
    for seq, clause in ((1, "CP-19"), (len(log.events) - 2, "CP-20")):
        found = explain(log, seq)
        assert (found.step.clause, found.ask, found.answer) == (clause, None, None)
        assert f"{clause}  " in render.explanation_text(found)
        assert orjson.loads(render.explanation_json(found))["asked"] is None


def test_no_such_event() -> None:
    """A seq that the log does not have is refused."""
    with pytest.raises(NoSuchEvent, match="found 21"):
        explain(LOG, 21)


def test_the_referees_evidence_is_shown(tmp_path: Path) -> None:
    """The referee's notes on an answer are shown, if the evidence is beside the log."""
    path = tmp_path / "matches" / "1-000000.jsonl"
    log = read(write(path, crash_match(), hex_seed(SHORT)))
    fault = next(seq for seq, event in enumerate(log.events) if event["type"] == "fault")
    assert explain(log, fault).evidence is None
    evidence = tmp_path / "evidence" / "1-000000.jsonl"
    evidence.parent.mkdir()
    evidence.write_text(f'{{"match":"1-000000"}}\n{{"seq":{fault},"stderr":"oops"}}\n')
    found = explain(log, fault)
    assert found.evidence == {"seq": fault, "stderr": "oops"}
    assert "  stderr:\n    oops\n" in render.explanation_text(found)
    evidence.write_text("garbage\n")
    assert explain(log, fault).evidence is None


def test_a_note_of_the_longest_line_is_read(tmp_path: Path) -> None:
    """A line of a log may have as many bytes with its LF; one more ends the notes."""
    evidence = tmp_path / "evidence" / "log.jsonl"
    evidence.parent.mkdir()
    for more, known in (0, 2), (1, 0):
        note = b'{"seq":1,"seat":0,"stderr":"%b"}\n'
        longest = note % (b"x" * (LINE_BYTES - len(note % b"") + more))
        evidence.write_bytes(longest + note % b"")
        assert len(notes(tmp_path / "log.jsonl").get("1", ())) == known


@pytest.mark.parametrize("levels", [20, 250, 1000])
def test_a_note_that_is_nested_deeply_is_left_out(levels: int, tmp_path: Path) -> None:
    """Evidence that an explanation or a page could not hold as JSON counts as unreadable."""
    log = read(write(tmp_path / "1-000000.jsonl", crash_match(), hex_seed(SHORT)))
    fault = next(seq for seq, event in enumerate(log.events) if event["type"] == "fault")
    (tmp_path / "evidence").mkdir()
    nested = "[" * levels + "]" * levels
    line = f'{{"seq":{fault},"x":{nested}}}\n'
    (tmp_path / "evidence" / "1-000000.jsonl").write_text(line)
    found = explain(log, fault)
    assert orjson.loads(render.explanation_json(found))["evidence"] is None


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ("M0ZGCg==", "3FF\n"),
        ("/w==", r"\xff"),
        ("eHh4" * 1_000, f"{'x' * 200}… (3,000 bytes)"),
        ("no base64", "no base64"),
        (None, None),
    ],
)
def test_what_a_stopped_bot_has_written(data: str | None, shown: str | None) -> None:
    """The output of a bot that was stopped is shown as text, and cut."""
    note = {"seq": 3, "partial": {"output": data}}
    assert render.evidence(note) == ({"partial": {"output": shown}}, [])


@pytest.mark.parametrize(
    ("seq", "output"),
    [(1, "0a"), (3, "1a"), (5, "1b"), (6, "0b"), (8, None)],
)
def test_evidence_of_an_answer_after_an_event_between_two(seq: int, output: str | None) -> None:
    """Rules may emit events of the game between two answers to one question to several seats."""
    answers = {1: 0, 3: 1, 5: 1, 6: 0, 8: 0}
    events = [
        {"type": "answered" if n in answers else "placed", "seat": answers.get(n, 0)}
        for n in range(9)
    ]
    about = {
        "1": [{"seq": 1, "seat": 0, "stderr": "0a"}, {"seq": 1, "seat": 1, "stderr": "1a"}],
        "5": [{"seq": 5, "seat": 1, "stderr": "1b"}, {"seq": 5, "seat": 0, "stderr": "0b"}],
    }
    found = note(about, events, seq)
    assert (found or {}).get("stderr") == output


def test_evidence_of_two_questions_to_one_seat_at_once() -> None:
    """Each of the two answers has its own note, and another answer has none of them."""
    asks = ["bid", "card", "bid", "card", "call"]
    events: Events = [{"type": "answered", "seat": 0, "ask": ask} for ask in asks]
    about = {"0": [{"seq": 0, "seat": 0, "ask": ask} for ask in ("bid", "card")]}
    found = [notes_on(about, events, seq) for seq in range(5)]
    assert found == [about["0"][:1], about["0"][1:], (), (), ()]


def test_evidence_of_the_answers_of_all_seats() -> None:
    """It is kept at the first reply if there are such, and is never that of an earlier answer."""
    about = {
        str(seq): [{"seq": seq, "seat": seat, "ask": "bid"} for seat in (0, 1)] for seq in (1, 4)
    }
    types = ["dealt", "round", "dealt", "round", "answered", "fault", "scored"]
    seats = {4: {"seat": 0}, 5: {"seat": 1}}
    events = [{"type": type, **seats.get(seq, {})} for seq, type in enumerate(types)]
    assert [notes_on(about, events, seq) for seq in (1, 3, 6)] == [about["1"], (), about["4"]]


def test_evidence_of_an_answer_that_was_given_twice(tmp_path: Path) -> None:
    """Of an answer that an interruption lost, and of a second one, the notes are not shown.

    A match that leaves a batch has two notes on one answer, which are shown as one.
    """
    subject = {"seq": 2, "seat": 0, "ask": "turn"}
    lines: list[dict[str, Any]] = [
        {"format": "koth-evidence/1"},
        subject | {"seat": 1, "stderr": "not lost"},
        subject | {"ms": 1.5, "stderr": "lost"},
        {"format": "koth-evidence/1"},
        subject | {"seat": 1, "stderr": "second answer", "again": {}},
        subject | {"resumed_after": 1},
        subject | {"ms": 2.5},
        {"format": "koth-evidence/1"},
        subject | {"stderr": "second answer", "again": {}},
    ]
    path = tmp_path / "evidence" / "log.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"\n".join(map(orjson.dumps, lines)) + b"\n")
    about = notes(tmp_path / "log.jsonl")
    events: Events = [{"type": "dealt"}, {"type": "dealt"}, {"type": "answered", "seat": 0}]
    counts = subject | {"resumed_after": 1, "ms": 2.5}
    assert note(about, events, 2) == counts
    events[2] = {"type": "round"}
    others = [lines[1], lines[4], lines[8]]
    assert notes_on(about, events, 2) == [others[0], others[1], counts, others[2]]


def test_evidence_of_a_question_to_all(tmp_path: Path) -> None:
    """Faults of one step find their own notes, which are all kept at its first reply."""
    crash = Answer({"output": b"11"})
    played = match_events(
        lambda ask: {seat: crash if seat == 2 else Answer({"output": b"1"}) for seat in range(3)},
        game="smallest_unique",
        players=3,
        seats=3,
    )
    log = read(write(tmp_path / "matches" / "1-000000.jsonl", played))
    seq = next(seq for seq, event in enumerate(log.events) if event["type"] == "fault")
    assert log.events[seq]["seat"] == 2
    first = next(seq for seq, event in enumerate(log.events) if event["type"] == "answered")
    assert first < seq
    evidence = tmp_path / "evidence" / "1-000000.jsonl"
    evidence.parent.mkdir()
    lines = [f'{{"seq":{first},"seat":{seat},"stderr":"{seat}"}}\n' for seat in range(3)]
    evidence.write_text("".join(lines))
    assert (explain(log, seq).evidence or {})["stderr"] == "2"


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ([{"n": 3}, {"n": 2}], [{"n": 2}, {"n": 2}], [{"n": 2}]),
        ([{"n": 3}, {"n": 2}], [{"n": 3}, {"n": 1}], [{"n": 1}]),
        ([{"n": 3}, {"n": 2}], [{"n": 3}], [{"n": 3}]),
        ([{"n": 3}], [], []),
        ([{"n": 3}, 1], [{"n": 3}, 2], [{"n": 3}, 2]),
        ([3, 2], [2, 2], [2, 2]),
        ([{"n": 0}, {"n": 1}], [{"n": False}, {"n": 1}], [{"n": False}]),
    ],
)
def test_the_changed_objects_of_a_list_are_shown(
    before: list[object], after: list[object], changed: list[object]
) -> None:
    """Of as many objects as before, those that changed are shown; any other list is whole."""
    assert render.state_changes({"piles": before}, {"piles": after}) == {"piles": changed}


@pytest.mark.parametrize("after", [{"turn": 2}, {}, None])
def test_a_removed_value_is_a_change(after: dict[str, object] | None) -> None:
    """A state may have no value that it had before, or there may be no state any more."""
    gone = {"turn": 2, "offer": "a card"}
    changed = render.state_changes(gone, after)
    assert changed == {key: None for key in gone if key not in (after or {})}
    assert render.state_changes(after, gone) == {key: gone[key] for key in changed}
