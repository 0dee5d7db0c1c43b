"""A divergence says where, what, why, after what, and in which state."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from replay import verdict_render
from replay.log_verdict import LogVerdict
from replay.rerun import Divergence, first_difference
from tests.factories import match_events, printed, sealed
from tests.replay.edits import edited
from tests.replay.log_factory import (
    SHORT,
    hex_seed,
    kinds,
    short,
    tournament_events,
    verdict_on,
    with_seq,
)


def doctored(tmp_path: Path, path: str, value: object, kind: str = "coins_moved") -> LogVerdict:
    """The verdict on the short match with one value of its first event of a kind edited."""
    events = edited(short(), kinds(short()).index(kind), path, value)
    return verdict_on(tmp_path / "log.jsonl", sealed(events, hex_seed(SHORT)))


def divergence(told: LogVerdict) -> Divergence:
    """The divergence of a verdict that has one."""
    assert told.divergence is not None
    return told.divergence


def test_a_divergence_is_told_in_full(tmp_path: Path) -> None:
    """File, line, seq, field, both values, clause, both events and the state are those there."""
    seq = kinds(short()).index("coins_moved")
    was = short()[seq]
    told = doctored(tmp_path, "coins[0]", 9)
    found = divergence(told)
    assert (found.path, found.line, found.seq) == (str(tmp_path / "log.jsonl"), seq + 1, seq)
    assert (found.field, found.recorded, found.recomputed) == ("coins[0]", 9, was["coins"][0])
    assert found.clause in ("CP-8", "CP-9", "CP-10", "CP-11")
    assert found.event_recomputed == was
    assert found.event_recorded == edited(short(), seq, "coins[0]", 9)[seq]
    assert found.state is not None
    assert found.state["coins"] == was["coins"]
    assert (told.line, told.events) == (seq + 1, 21)


def test_a_reason_is_short(tmp_path: Path) -> None:
    """A reason cuts long values, which the divergence has in full."""
    told = doctored(tmp_path, "ask", "x" * 1000, kind="answered")
    assert divergence(told).recorded == "x" * 1000
    assert len(told.reason) < 200


def test_five_events_before_it_are_shown(tmp_path: Path) -> None:
    """The five events before a divergence come with their seq; at the start there are fewer."""
    end = len(short()) - 1
    found = divergence(doctored(tmp_path, "reason", "drawn", "match_finished"))
    assert list(found.before) == with_seq(short())[end - 5 : end]
    found = divergence(doctored(tmp_path, "coins[0]", 2, "dealt"))
    assert list(found.before) == with_seq(short())[:1]


def test_a_divergence_as_json(tmp_path: Path) -> None:
    """The JSON of a verdict holds all of its divergence, and names its own format."""
    told = doctored(tmp_path, "coins[0]", 9)
    shown = orjson.loads(verdict_render.verdicts_json([told]))
    assert shown["format"] == "koth-verify/1"
    assert shown["counts"] == {"diverged": 1}
    [log] = shown["logs"]
    assert (log["path"], log["verdict"], log["line"]) == (told.path, "diverged", told.line)
    found = divergence(told)
    assert log["divergence"] == orjson.loads(orjson.dumps(found))
    assert log["divergence"]["field"] == "coins[0]"
    assert log["divergence"]["recorded"] == 9


def test_a_divergence_as_text(tmp_path: Path) -> None:
    """The text of a verdict names line, event, field, both values, the clause and the state."""
    told = doctored(tmp_path, "coins[0]", 9)
    found = divergence(told)
    text = verdict_render.verdicts_text([told])
    first, *lines = text.splitlines()
    assert first.startswith(f"diverged  {told.path}:{found.line}: event {found.seq}")
    assert lines[0] == f"  line {found.line}, event {found.seq}, field coins[0]"
    assert "  recorded    9" in lines
    assert f"  recomputed  {found.recomputed}" in lines
    assert f"  clause      {found.clause}" in lines
    for name in ("recorded", "recomputed"):
        assert f"    {name:10}  {found.sentences[name]}" in lines
    for event in found.before:
        assert f"    {event['seq']}  {found.sentences[str(event['seq'])]}" in lines
    assert any(line.split() == ["deck", f'"{(found.state or {})["deck"]}"'] for line in lines)
    assert lines[-1] == "1 log: 1 diverged"


def test_a_divergence_is_told_in_sentences(tmp_path: Path) -> None:
    """A forged cause of income is in the sentence of the recorded event only."""
    said = divergence(doctored(tmp_path, "cause", "tax")).sentences
    assert "tax" in said["recorded"]
    assert "tax" not in said["recomputed"]
    assert said["recorded"].partition(" ")[0] == said["recomputed"].partition(" ")[0]


def test_a_difference_far_inside_long_values_is_shown(tmp_path: Path) -> None:
    """Values whose beginnings are equal are shown from where they differ."""
    events = match_events(lambda ask: printed("x"), game="coins", rounds=2)
    forged = edited(events, kinds(events).index("fault"), "output", 65_540 * "C")
    found = divergence(verdict_on(tmp_path / "log.jsonl", sealed(forged)))
    told = f"field output: recorded …{24 * 'C'}', recomputed …{20 * 'C'}' (CN-7)"
    assert found.reason.endswith(told)


def test_only_the_first_difference_is_told(tmp_path: Path) -> None:
    """Only the first of two edits is reported, because later differences mean nothing."""
    seq = kinds(short()).index("coins_moved")
    events = edited(edited(short(), seq, "coins[1]", 9), len(short()) - 1, "winners", [])
    told = verdict_on(tmp_path / "log.jsonl", sealed(events, hex_seed(SHORT)))
    assert (divergence(told).seq, divergence(told).field) == (seq, "coins[1]")


def test_a_missing_answer_is_told_as_what_was_asked(tmp_path: Path) -> None:
    """If the log ends where a bot must be asked, the divergence has the bot and the question."""
    events = short()
    place = max(n for n, kind in enumerate(kinds(events)) if kind == "answered")
    told = verdict_on(tmp_path / "log.jsonl", sealed(events[:place], hex_seed(SHORT)))
    found = divergence(told)
    asked = {key: events[place][key] for key in ("type", "seat", "ask")}
    assert (found.seq, found.event_recomputed) == (place, asked)
    assert found.recorded == "match_sealed"


@pytest.mark.parametrize("left_out", [1, 3, 6])
def test_a_missing_match_is_told_where_it_is_missing(left_out: int, tmp_path: Path) -> None:
    """If a match is missing in a tournament's log, the divergence names it and its line."""
    events = tournament_events(rounds=1)
    match = events.pop(left_out)
    found = divergence(verdict_on(tmp_path / "log.jsonl", sealed(events)))
    assert (found.line, found.seq) == (left_out + 1, left_out)
    assert found.event_recorded == events[left_out]
    assert found.event_recomputed == {key: match[key] for key in ("type", "match", "seats")}
    assert list(found.before) == with_seq(events)[max(0, left_out - 5) : left_out]


def test_seats_before_a_missing_match_are_compared_first(tmp_path: Path) -> None:
    """Wrong seats are reported if they come before a missing match."""
    events = tournament_events(rounds=1)
    del events[4]
    events = edited(events, 2, "seats", events[2]["seats"][::-1])
    found = divergence(verdict_on(tmp_path / "log.jsonl", sealed(events)))
    assert (found.line, found.field) == (3, "seats[0]")


def test_events_after_the_end_diverge(tmp_path: Path) -> None:
    """If the log continues after the end of the game, the divergence expects the seal."""
    events = [*short(), short()[2]]
    told = verdict_on(tmp_path / "log.jsonl", sealed(events, hex_seed(SHORT)))
    found = divergence(told)
    assert (found.seq, found.field) == (len(short()), "type")
    assert (found.recorded, found.recomputed) == ("answered", "match_sealed")


@pytest.mark.parametrize(
    ("recorded", "recomputed", "expected"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, ("b", 2, 3)),
        ({"a": [1, 2]}, {"a": [1, 3]}, ("a[1]", 2, 3)),
        ({"a": [1]}, {"a": [1, 3]}, ("a", [1], [1, 3])),
        ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}, ("a[0].b", 1, 2)),
        ({"a": 1}, {"a": 1, "b": 2}, ("b", None, 2)),
        ({"a": 1, "b": 2}, {"a": 1}, ("b", 2, None)),
        ({"a": "1"}, {"a": 1}, ("a", "1", 1)),
        ({"a": [1]}, {}, ("a", [1], None)),
        ({}, {"a": [1]}, ("a", None, [1])),
        ({"a": {"b": 1}}, {}, ("a", {"b": 1}, None)),
        ({}, {"a": {"b": 1}}, ("a", None, {"b": 1})),
        (None, {"a": 1}, ("", None, {"a": 1})),
    ],
)
def test_the_first_difference(
    recorded: object, recomputed: object, expected: tuple[str, object, object]
) -> None:
    """The path leads to the innermost value that differs, also inside nested lists."""
    assert first_difference(recorded, recomputed) == expected
