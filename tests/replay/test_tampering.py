"""A log with any change is not verified, with or without a new seal."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games.coup.cards import GIVEN_UP_CARD
from games.table import Ask
from replay.rerun import first_divergence, rerun
from schema.canonical import line
from schema.reader import parse
from tests.factories import Events, at_random, match_events, sealed
from tests.replay.edits import changes, derived, edited, sample
from tests.replay.log_factory import (
    NOWHERE,
    SHORT,
    crash_match,
    hex_seed,
    illegal_match,
    kinds,
    log_of,
    random_match,
    short,
    tournament_events,
    verdict_on,
)
from tests.sampling import LONG_RUN

SEED = hex_seed(SHORT)
MATCHES: dict[str, Callable[[], Events]] = {
    "short": short,
    "illegal": illegal_match,
    "crash": crash_match,
}
LIES = (1, 8, 77)
"""Numbers of more random matches, to change answers in."""


def test_the_short_match_has_every_event() -> None:
    """The log that is tampered with holds all events of Coup but the fault, which has its own."""
    expected = {"dealt", "coins_moved", "card_lost", "card_replaced", "cards_offered"}
    expected |= {"cards_exchanged", "match_started", "answered", "match_finished"}
    assert set(kinds(short())) == expected
    assert kinds(illegal_match())[-2:] == kinds(crash_match())[-2:] == ["fault", "match_finished"]


# --- bytes ---------------------------------------------------------------------------------------


WAYS = ("another byte", "one bit", "removed", "doubled")
STEP = 1 if LONG_RUN else len(WAYS)
"""In the suite each byte is changed in one of the ways, and every fourth tail of a log is tried."""


@pytest.mark.parametrize("way", WAYS)
def test_any_changed_byte_is_found(way: str, tmp_path: Path) -> None:
    """Whichever byte of a log is changed, removed or doubled, it does not verify."""
    data, chance, path = sealed(short(), SEED), random.Random(way), tmp_path / "log.jsonl"
    for place in range(WAYS.index(way) % STEP, len(data), STEP):
        byte = data[place]
        new = {
            "another byte": bytes([(byte + chance.randrange(1, 256)) % 256]),
            "one bit": bytes([byte ^ 1 << chance.randrange(8)]),
            "removed": b"",
            "doubled": bytes([byte, byte]),
        }[way]
        told = verdict_on(path, data[:place] + new + data[place + 1 :])
        assert told.verdict in ("corrupt", "incomplete", "forged"), (place, told)
        assert told.reason


def test_any_tail_is_corrupt(tmp_path: Path) -> None:
    """A log that lacks its beginning is corrupt, wherever it begins."""
    data, path = sealed(short(), SEED), tmp_path / "log.jsonl"
    for size in range(1, len(data), STEP):
        assert verdict_on(path, data[size:]).verdict == "corrupt", size


AGAIN = line(21, short()[2])
"""A whole event, as it could go on in line 22."""


@pytest.mark.parametrize("more", [b"\n", b" ", b"{}\n", AGAIN, AGAIN[:9], AGAIN[:-1]])
def test_anything_after_the_seal_is_corrupt(more: bytes, tmp_path: Path) -> None:
    """Nothing may follow the seal, not even what would be right in another place."""
    assert verdict_on(tmp_path / "log.jsonl", sealed(short(), SEED) + more).verdict == "corrupt"


# --- fields, sealed again ------------------------------------------------------------------------


def edits(events: Events) -> Iterator[tuple[int, str, Events]]:
    """(seq, path, log) for every small change of a field that the rules derive."""
    for seq, event in enumerate(events):
        if event["type"] != "match_started":
            for path, value in sample(changes(derived(event), ""), seq):
                if path == "kind" and event["kind"] != "illegal":
                    continue  # what the referee saw, not what the rules found
                yield seq, path, edited(events, seq, path, value)


@pytest.mark.parametrize("name", MATCHES)
def test_any_derived_field_that_is_edited_diverges(name: str, tmp_path: Path) -> None:
    """Each derived field, edited and sealed again, diverges there, or its model forbids it."""
    path, seen = tmp_path / "log.jsonl", set()
    for seq, field, events in edits(MATCHES[name]()):
        told = verdict_on(path, sealed(events, SEED))
        seen.add(told.verdict)
        assert told.verdict in ("diverged", "corrupt"), (seq, field, events[seq])
        if found := told.divergence:
            assert (found.seq, found.line) == (seq, seq + 1), (field, events[seq])
            assert found.field.startswith(field), (field, found.field)
            assert found.clause or events[seq]["type"] == "answered" or field == "type"
    assert seen == {"diverged", "corrupt"}


@pytest.mark.parametrize("name", MATCHES)
def test_a_field_that_is_missing_or_too_much_is_corrupt(name: str, tmp_path: Path) -> None:
    """Events have exactly their declared fields, in their order."""
    path = tmp_path / "log.jsonl"
    for seq, event in enumerate(MATCHES[name]()):
        for key in derived(event):
            events = MATCHES[name]()
            events[seq] = {other: value for other, value in event.items() if other != key}
            if key != "type":
                assert verdict_on(path, sealed(events, SEED)).verdict == "corrupt", (seq, key)
            events[seq] = {"type": event["type"], "note": 1} | event
            assert verdict_on(path, sealed(events, SEED)).verdict == "corrupt", (seq, key)
        events[seq] = {"type": event["type"]} | dict(reversed(event.items()))
        assert len(event) < 3 or verdict_on(path, sealed(events, SEED)).verdict == "corrupt", seq


def test_a_setting_that_matters_diverges(tmp_path: Path) -> None:
    """With fewer calls allowed than were played, the rules would have ended the match."""
    calls = kinds(short()).count("answered")
    path = tmp_path / "log.jsonl"
    for max_calls in range(1, calls):
        told = verdict_on(path, sealed(edited(short(), 0, "settings.max_calls", max_calls), SEED))
        assert told.verdict == "diverged"
    told = verdict_on(path, sealed(edited(short(), 0, "settings.max_calls", calls), SEED))
    assert told.verdict == "verified"


@pytest.mark.parametrize("name", MATCHES)
def test_events_removed_doubled_moved_or_inserted_diverge(name: str, tmp_path: Path) -> None:
    """An event more, an event less or an event elsewhere is never verified."""
    path, events = tmp_path / "log.jsonl", MATCHES[name]()
    for seq, event in enumerate(events):
        changed = [events[:seq] + events[seq + 1 :], [*events[: seq + 1], *events[seq:]]]
        changed += [
            [*events[:place], event, *events[place:]]
            for place in range(len(events) + 1)
            if place not in (seq, seq + 1)
        ]
        if seq and events[seq - 1] != event:
            changed.append([*events[: seq - 1], event, events[seq - 1], *events[seq + 1 :]])
        for one in changed:
            told = verdict_on(path, sealed(one, SEED) if one[0].get("format") else _headless(one))
            assert told.verdict in ("diverged", "corrupt"), (seq, one)


def _headless(events: Events) -> bytes:
    """A log without its first event, which the helper that seals needs."""
    data = sealed([short()[0], *events], SEED)
    return data[data.index(b"\n") + 1 :]


def test_two_events_exchanged_for_one_diverge() -> None:
    """A match cut short by a made-up end diverges at that end."""
    events = short()
    for seq in range(2, len(events) - 1):
        log = log_of([*events[:seq], events[-1]], SEED)
        found = first_divergence(log)
        assert found is not None
        assert found.seq <= seq


# --- answers -------------------------------------------------------------------------------------


def asked(events: Events, seed: str) -> Iterator[tuple[int, Ask]]:
    """(seq, ask) of every answer in a match."""
    for step in rerun(parse(sealed(events, seed), NOWHERE)):
        if step.event["type"] == "answered":
            assert isinstance(step.pending, list)
            [ask] = step.pending
            yield step.seq, ask


def untold(claim: str, other: str, following: list[str]) -> bool:
    """Whether a claim came to nothing, so that no event tells it from another one.

    That is an action or a block that was found false, and a block of a Steal that was accepted.
    """
    found_false = following[0] == "q" and following[1][0] in GIVEN_UP_CARD
    if {claim, other} == {"a", "c"}:
        return found_false or following[0] == "\n"
    return found_false and {claim, other} <= set("ETSA")


@pytest.mark.parametrize("number", [SHORT, *LIES])
def test_another_legal_answer_diverges(number: int, tmp_path: Path) -> None:
    """An answer edited to another legal one leads elsewhere, unless nothing derived tells them."""
    seed, events, path = hex_seed(number), random_match(number), tmp_path / "log.jsonl"
    for seq, ask in asked(events, seed):
        following = [one["appended"] for one in events[seq + 1 :] if one["type"] == "answered"]
        for action in set(ask.legal) - {events[seq]["appended"]}:
            told = verdict_on(path, sealed(edited(events, seq, "appended", action), seed))
            same = told.verdict == "verified" and untold(events[seq]["appended"], action, following)
            assert same or told.verdict == "diverged", (seq, action)
            if found := told.divergence:
                assert found.seq > seq


@pytest.mark.parametrize("number", [SHORT, *LIES])
def test_an_illegal_answer_that_was_accepted_diverges(number: int, tmp_path: Path) -> None:
    """An ``answered`` whose answer the rules do not accept diverges in its type: a fault."""
    seed, events, path = hex_seed(number), random_match(number), tmp_path / "log.jsonl"
    for seq, ask in asked(events, seed):
        for action in ("", "x", "i\n", "I\r\n", events[seq]["appended"] * 2, "C", "T", "q"):
            if action in ask.legal:
                continue
            told = verdict_on(path, sealed(edited(events, seq, "appended", action), seed))
            assert told.divergence is not None
            assert (told.divergence.seq, told.divergence.field) == (seq, "type")
            assert told.divergence.recomputed == "fault"
            assert told.divergence.clause == "CP-17"


def test_an_illegal_choice_of_cards_diverges(tmp_path: Path) -> None:
    """The cards kept in an Exchange are an answer as well."""
    events, path = short(), tmp_path / "log.jsonl"
    [seq] = [n for n, event in enumerate(events) if event.get("ask") == "exchange"]
    for output in ("", "~", "~~~", "xx", "~~", "$$", "!!", "**", "^^"):
        assert events[seq]["output"] != output
        told = verdict_on(path, sealed(edited(events, seq, "output", output), SEED))
        assert told.verdict == "diverged", output


def test_an_output_that_nobody_reads_is_the_bots_own(tmp_path: Path) -> None:
    """Standard output is read in an Exchange only (CP-16): elsewhere another one verifies.

    In an Exchange, white space around the cards makes no difference either (CP-15).
    """
    events, path = short(), tmp_path / "log.jsonl"
    for seq, event in enumerate(events):
        if event["type"] == "answered":
            output = f" {event['output']}\n" if event["ask"] == "exchange" else "hello"
            told = verdict_on(path, sealed(edited(events, seq, "output", output), SEED))
            assert told.verdict == "verified"


def test_a_legal_answer_told_as_illegal_diverges(tmp_path: Path) -> None:
    """A legal answer that is recorded as an illegal one diverges."""
    for seq, _ in asked(short(), SEED):
        events = short()[: seq + 1]
        right = {"type": "fault", "seat": events[seq]["seat"], "kind": "illegal"}
        right |= {"clause": "CP-17", "penalty": "forfeit", "ask": events[seq]["ask"]}
        raw = {key: events[seq][key] for key in ("output", "appended")}
        winner = 1 - events[seq]["seat"]
        scores = [int(seat == winner) for seat in (0, 1)]
        end = {"type": "match_finished", "reason": "forfeit", "scores": scores, "winners": [winner]}
        told = verdict_on(tmp_path / "l", sealed([*events[:seq], right | raw, end], SEED))
        assert told.divergence is not None
        assert (told.divergence.seq, told.divergence.field) == (seq, "type")
        assert told.divergence.recomputed == "answered"
        raw["appended"] += "x"
        told = verdict_on(tmp_path / "l", sealed([*events[:seq], right | raw, end], SEED))
        assert told.verdict == "verified"


def test_an_illegal_answer_told_as_legal_diverges(tmp_path: Path) -> None:
    """A fault for an illegal answer cannot be turned into an answer that was accepted."""
    events = illegal_match()
    fault = events[-2]
    events[-2] = {"type": "answered"} | {
        key: fault[key] for key in ("seat", "ask", "output", "appended")
    }
    told = verdict_on(tmp_path / "log.jsonl", sealed(events, SEED))
    assert told.verdict == "diverged"


@pytest.mark.parametrize(
    "raw",
    [
        {"appended": "I\n", "cut": ["appended"]},
        {"appended": "I\n", "cut": ["nonsense"]},
        {"appended": "I\n", "appended_base64": "SQo="},
        {"appended_base64": "SQo="},
    ],
)
def test_raw_bytes_have_one_way_to_be_written(raw: dict[str, object], tmp_path: Path) -> None:
    """The same bytes written otherwise than the referee does diverge, or are corrupt."""
    events = match_events(at_random(random.Random(3)), SEED)
    events[2] = {"type": "answered", "seat": 0, "ask": "turn", "output": ""} | raw
    told = verdict_on(tmp_path / "log.jsonl", sealed(events, SEED))
    assert told.verdict in ("diverged", "corrupt")
    assert told.line == 3


# --- the tournament's log ------------------------------------------------------------------------

REPORTED = ("reason", "winners", "faults", "seal")
"""Fields that a tournament's log copies from its matches; only their logs can confirm them."""


def test_any_derived_field_of_a_tournament_that_is_edited_diverges(tmp_path: Path) -> None:
    """Schedule, scores and final table follow from each other: an edit of any is found."""
    original, path = tournament_events(), tmp_path / "tournament.jsonl"
    for seq, event in enumerate(original[1:], 1):
        fields = {key: value for key, value in event.items() if key not in REPORTED}
        for field, value in sample(changes(fields, ""), seq):
            told = verdict_on(path, sealed(edited(original, seq, field, value)))
            assert told.verdict in ("diverged", "corrupt"), (seq, field, value)


def test_matches_removed_doubled_or_moved_diverge(tmp_path: Path) -> None:
    """The schedule is part of the rules (CP-19)."""
    events, path = tournament_events(), tmp_path / "tournament.jsonl"
    for seq in range(1, len(events)):
        less = events[:seq] + events[seq + 1 :]
        more = [*events[: seq + 1], *events[seq:]]
        moved = [*events[: seq - 1], events[seq], events[seq - 1], *events[seq + 1 :]]
        for changed in [less, more, *([moved] if seq > 1 else [])]:
            assert verdict_on(path, sealed(changed)).verdict == "diverged", seq


@pytest.mark.parametrize("rounds", [1, 3])
def test_another_number_of_rounds_diverges(rounds: int, tmp_path: Path) -> None:
    """The number of rounds decides how many matches there are."""
    events = edited(tournament_events(rounds=2), 0, "settings.rounds", rounds)
    assert verdict_on(tmp_path / "tournament.jsonl", sealed(events)).verdict == "diverged"


@pytest.mark.parametrize("kind", ["match", "tournament"])
def test_whatever_a_log_says_there_is_a_verdict(kind: str, tmp_path: Path) -> None:
    """No value of any field, inputs and raw bytes included, stops the verifier.

    Of the events after the start the suite tries one value in four, the long run all.
    """
    events = short() if kind == "match" else tournament_events(SEED, entrants=2, rounds=1)
    path, seen = tmp_path / "log.jsonl", set()
    for seq, event in enumerate(events):
        values = changes(event, "")
        for field, value in sample(values, seq) if seq else values:
            seen.add(verdict_on(path, sealed(edited(events, seq, field, value), SEED)).verdict)
    assert seen == {"corrupt", "unsupported", "forged", "diverged", "verified"}


def test_inputs_that_nothing_derives_are_the_referees_word(tmp_path: Path) -> None:
    """Names, bot hashes, ids and settings without effect change no event: such an edit verifies.

    The tournament's log is what catches it.
    """
    path = tmp_path / "log.jsonl"
    for field, value in (
        ("players[0].name", "somebody"),
        ("players[1].bot", "0" * 64),
        ("tournament", "spring"),
        ("match", "2-000123"),
        ("settings.rounds", 3),
        ("settings.time_limit_s", 3),
    ):
        told = verdict_on(path, sealed(edited(short(), 0, field, value), SEED))
        assert told.verdict == "verified", field
