"""Answers of all seats at once: games of Smallest Unique Number, replayed and changed.

In other games each answer is an event. Here the event ``round`` has the answers of all seats. If
a bot failed, the answers of the failed step are recorded one per seat.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import orjson
import pytest

from games.table import Fault, JointAsk, Replies, Result
from replay import render
from replay.driver import OutOfAnswers, Question, ReplayDriver
from replay.explain import explain
from replay.rerun import rerun
from replay.state import state_at
from schema import registry, rulebook, seal
from schema.dice import Dice
from tests.factories import BOT, SEED, Events, at_random, match_events, printed, sealed, write
from tests.games.unique_games import (
    KINDS,
    LEGAL,
    NO_CHOICE,
    Held,
    answered,
    fault,
    finished,
    in_turn,
    match_played,
    random_game,
    random_tournament,
    result,
    round_of,
    seated,
    smallest_unique,
    started,
    stopped,
)
from tests.replay.edits import changes, derived, edited, sample
from tests.replay.log_factory import findings, hex_seed, log_of, verdict_on

CHOICES = ([1, 2, 3], [4, 4, 5], [6, 6, 6], [2, 1, 1])
"""Four rounds: seat 0 scores, then seat 2, nobody, and seat 0."""
START = match_events(
    in_turn(*CHOICES), game="smallest_unique", players=3, seats=3, rounds=len(CHOICES)
)[0]


def game(*replies: Replies) -> Events:
    """The events of a game of three over four rounds, in which all seats reply so."""
    return match_events(
        in_turn(*replies), game="smallest_unique", players=3, seats=3, rounds=len(CHOICES)
    )


GAMES: dict[str, Events] = {
    "sound": game(*CHOICES),
    "construct": game({0: stopped("construct"), 1: printed("1"), 2: printed("2")}),
    "constructs": game({0: stopped("construct"), 1: printed("1"), 2: stopped("construct")}),
    "update": game(CHOICES[0], {0: printed("1"), 1: stopped("update", "timeout")}),
    "select": game(
        *CHOICES[:2], {0: printed("4"), 1: stopped("select", "oversize"), 2: printed("7")}
    ),
    "illegal": game(CHOICES[0], [10, 4, 11]),
    "last": game(*CHOICES, {2: stopped("update")}),
    "all": game({0: printed("0"), 1: stopped("select"), 2: printed("bool True")}),
}
"""One game that was played to its end, and others, void by failures in what their name says."""
VOID = [name for name in GAMES if name != "sound"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a log."""
    return tmp_path / "log.jsonl"


def verified(path: Path, events: Events) -> bool:
    """Whether a log of these events verifies; if not, the verdict must name a line."""
    told = verdict_on(path, sealed(events))
    assert told.verdict in ("verified", "diverged", "corrupt"), told
    assert told.fine or told.line is not None
    return told.fine


def places(events: Events, *types: str) -> list[int]:
    """Return the places of the events of some types."""
    return [seq for seq, event in enumerate(events) if event["type"] in types]


# --- What was played verifies --------------------------------------------------------------------


@pytest.mark.parametrize("chunk", range(4))
def test_every_game_verifies(chunk: int) -> None:
    """A game verifies for all choices and all failures of its seats."""
    for number in range(chunk, 800, 4):
        log = log_of(random_game(number)[1])
        again = rerun(log)
        assert [step.event for step in again] == log.events
        assert again.divergence is None


@pytest.mark.parametrize("name", GAMES)
def test_the_games_that_are_tampered_with_verify(name: str, path: Path) -> None:
    """The games below are as their names say, and verify as they are."""
    events = GAMES[name]
    assert verified(path, events)
    asks = [event["ask"] for event in events if event["type"] == "fault"]
    wanted = {"sound": [], "constructs": ["construct"] * 2, "illegal": ["select"]}
    wanted |= {"last": ["update"], "all": ["select"] * 3}
    assert asks == wanted.get(name, [name])


class Heard(ReplayDriver):
    """Runs the rules of a log, and keeps the replies that they get."""

    def __init__(self, events: Events) -> None:
        super().__init__(log_of(events), SEED)
        self.replies: list[Replies] = []

    def answer(self, question: Question) -> Replies:
        """Keep the reply, and return it."""
        self.replies.append(super().answer(question))
        return self.replies[-1]


def test_the_rules_get_the_replies_that_the_referee_sent() -> None:
    """At the end that is None, or what failed; of a seat that there is not, they get nothing."""
    for name, last in (("sound", None), ("last", {2: stopped("update")})):
        heard = Heard(GAMES[name])
        heard.drive_rules()
        assert heard.replies == [*CHOICES, last]
    [seq] = places(GAMES["last"], "fault")
    nobody = Heard(edited(GAMES["last"], seq, "seat", 3))
    with pytest.raises(OutOfAnswers):
        nobody.drive_rules()
    assert nobody.replies == [*CHOICES]


def test_a_game_of_the_games_own_settings_verifies(path: Path) -> None:
    """Ten bots and 1,000 rounds, the last of them void, verify."""
    player = at_random(random.Random(1))
    rounds = [0]

    def fail_at_last(ask: JointAsk) -> Any:
        rounds[0] += 1
        return {7: stopped("update")} if rounds[0] == 1001 else player(ask)

    events = match_events(fail_at_last, game="smallest_unique", players=10)
    assert len(events) == 1003
    assert events[-1]["reason"] == "void"
    assert verified(path, events)


# --- Choices -------------------------------------------------------------------------------------


def test_any_choice_that_is_edited_diverges_unless_it_changes_nothing(path: Path) -> None:
    """Another choice that is none voids the game; a legal one shows where it changes who scored.

    Where it does not, nothing follows from it: that a bot said so is shown by asking it again.
    """
    for seq in places(GAMES["sound"], "round"):
        event = GAMES["sound"][seq]
        for seat, value in product(range(3), [*range(-1, 13), 100, -(2**63), 2**63 - 1]):
            choices = [*event["choices"][:seat], value, *event["choices"][seat + 1 :]]
            changed = edited(GAMES["sound"], seq, "choices", choices)
            told = verdict_on(path, sealed(changed))
            if not 1 <= value <= 10:
                found = ("diverged", seq, "type")
            elif smallest_unique(choices) != event.get("winner"):
                found = ("diverged", seq, "winner")
            else:
                assert told.verdict == "verified", choices
                continue
            assert told.divergence, choices
            assert (told.verdict, told.divergence.seq, told.divergence.field) == found


@pytest.mark.parametrize("other", [True, 1.0, "1", None, 2**63, [1]])
def test_a_choice_that_is_no_integer_is_corrupt(other: object, path: Path) -> None:
    """Choices in a round are integers of 64 bits, or the log is corrupt in that line."""
    told = verdict_on(path, sealed(edited(GAMES["sound"], 2, "choices[1]", other)))
    assert (told.verdict, told.line) == ("corrupt", 3)
    assert "choices" in told.reason


@pytest.mark.parametrize("seq", [1, 2, 3, 4])
def test_a_round_has_a_choice_of_every_seat(seq: int, path: Path) -> None:
    """A missing choice, and a choice of a bot that does not exist, diverges at its place.

    That holds even if the winner is the same, or if the claimed winner has no seat.
    """
    event = GAMES["sound"][seq]
    whole = event["choices"]
    others = [list(some) for size in range(3) for some in combinations(whole, size)]
    others += [[*whole, more] for more in range(1, 11)] + [whole * 2, [*whole, 11]]
    for choices, winner in product(others, [event.get("winner"), None, 3]):
        changed = [dict(one) for one in GAMES["sound"]]
        changed[seq] = {"type": "round", "round": event["round"], "choices": choices}
        if winner is not None:
            changed[seq]["winner"] = winner
        told = verdict_on(path, sealed(changed))
        assert (told.verdict in ("diverged", "corrupt"), told.line) == (True, seq + 1), choices


def test_a_round_that_is_edited_names_its_field(path: Path) -> None:
    """Number and winner of a round, edited, removed or added, diverge right there."""
    for seq in places(GAMES["sound"], "round"):
        event = GAMES["sound"][seq]
        others: list[tuple[str, dict[str, Any]]] = [
            ("round", event | {"round": number})
            for number in (1, 2, 3, 4, 5, 99)
            if number != event["round"]
        ]
        others += [
            ("winner", event | {"winner": seat})
            for seat in (0, 1, 2, 3, 99)
            if seat != event.get("winner")
        ]
        if "winner" in event:
            others.append(("winner", {key: event[key] for key in ("type", "round", "choices")}))
        for field, other in others:
            changed = [*GAMES["sound"][:seq], other, *GAMES["sound"][seq + 1 :]]
            told = verdict_on(path, sealed(changed))
            assert told.divergence, other
            assert (told.divergence.seq, told.divergence.field) == (seq, field)
            assert told.divergence.clause == "SU-3"


def test_rounds_removed_doubled_or_swapped_diverge(path: Path) -> None:
    """Rounds are recorded once each and in order; a missing, doubled or swapped round diverges."""
    events = GAMES["sound"]
    for seq in places(events, "round"):
        less, more = events[:seq] + events[seq + 1 :], [*events[: seq + 1], *events[seq:]]
        for changed in (less, numbered(less), more, numbered(more)):
            assert not verified(path, changed), seq
    for one, other in combinations(places(events, "round"), 2):
        swapped = list(events)
        swapped[one], swapped[other] = events[other], events[one]
        told = verdict_on(path, sealed(swapped))
        assert told.divergence
        assert (told.divergence.seq, told.divergence.field) == (one, "round")
        assert verified(path, numbered(swapped)), "another game, as sound as this one"


def numbered(events: Events) -> Events:
    """The same with its rounds numbered from 1."""
    numbers = iter(range(1, len(events)))
    return [
        event | {"round": next(numbers)} if event["type"] == "round" else event for event in events
    ]


@pytest.mark.parametrize("seq", [1, 2, 3, 4])
def test_a_round_told_as_single_answers_diverges(seq: int, path: Path) -> None:
    """A round without a fault is one event; single answers instead of it diverge."""
    choices = GAMES["sound"][seq]["choices"]
    single = [answered(seat, str(choice)) for seat, choice in enumerate(choices)]
    for instead in (GAMES["sound"][seq : seq + 1], []):
        changed = [*GAMES["sound"][:seq], *single, *instead, *GAMES["sound"][seq + 1 :]]
        told = verdict_on(path, sealed(changed))
        assert (told.verdict, told.line) == ("diverged", seq + 1)


@pytest.mark.parametrize("rounds", [1, 3, 5, 1_000_000])
def test_another_number_of_rounds_diverges(rounds: int, path: Path) -> None:
    """The setting decides after which round the result is due."""
    told = verdict_on(path, sealed(edited(GAMES["sound"], 0, "settings.rounds", rounds)))
    assert (told.verdict, told.line) == ("diverged", min(rounds, 4) + 2)


# --- The result ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_result_that_is_edited_diverges(name: str, path: Path) -> None:
    """Reason, scores and winners of a game, played or void, have no other value that verifies."""
    events, end = GAMES[name], GAMES[name][-1]
    others: list[tuple[str, object]] = [("reason", r) for r in ("played", "void", "", "drawn")]
    others += [("scores", list(scores)) for scores in product(range(3), repeat=3)]
    others += [("winners", list(w)) for size in range(4) for w in combinations(range(3), size)]
    others += [("winners", [*end["winners"], 0]), ("winners", [1, 0])]
    for field, value in others:
        if value != end[field]:
            told = verdict_on(path, sealed(edited(events, len(events) - 1, field, value)))
            assert told.verdict in ("diverged", "corrupt"), (field, value)
            assert (told.line, field in told.reason) == (len(events), True)


@pytest.mark.parametrize("name", VOID)
def test_a_void_game_cannot_be_told_as_played(name: str, path: Path) -> None:
    """A game with a failure has no winner, and none of its faults can be left out."""
    *above, end = GAMES[name]
    most = max(end["scores"])
    winners = [seat for seat, points in enumerate(end["scores"]) if points == most]
    played = finished("played", end["scores"], winners)
    assert not verified(path, [*above, played])
    sound = [event for event in above if event["type"] != "fault"]
    assert not verified(path, [*sound, end])
    rounds = [event for event in above if event["type"] in ("match_started", "round")]
    assert verified(path, [*rounds, played]) == (name == "last")


# --- Faults --------------------------------------------------------------------------------------

EDITS: dict[str, Sequence[object]] = {
    "kind": [*KINDS, "illegal"],
    "seat": [0, 1, 2, 3, 99],
    "ask": ["construct", "update", "select", "turn", ""],
    "clause": [f"SU-{number}" for number in range(1, 12)],
    "penalty": ["", "void", "NNN", "forfeit"],
    "output": [*LEGAL, *NO_CHOICE],
}
"""Values to which a field of a fault is edited."""

STOPPED = {("kind", kind) for kind in KINDS}
ANYTHING = {("output", text) for text in EDITS["output"]}
ILLEGAL = {("kind", "illegal")} | {("output", text) for text in NO_CHOICE}

REFEREES_WORD: dict[tuple[str, int], set[tuple[str, object]]] = {
    ("construct", 0): STOPPED | ANYTHING | {("seat", 1), ("seat", 2)},
    ("constructs", 0): STOPPED | ANYTHING | {("seat", 1)},
    ("constructs", 1): STOPPED | ANYTHING | {("seat", 1)},
    ("update", 0): STOPPED | ANYTHING | {("seat", 0), ("seat", 2)},
    ("last", 0): STOPPED | ANYTHING | {("seat", 0), ("seat", 1)},
    ("select", 0): STOPPED | ANYTHING,
    ("illegal", 0): STOPPED | ILLEGAL,
    ("all", 0): STOPPED | ILLEGAL,
    ("all", 1): STOPPED | ANYTHING,
    ("all", 2): STOPPED | ILLEGAL,
}
"""By game and number of the fault: the edits that no rule contradicts."""


@pytest.mark.parametrize(("name", "number"), REFEREES_WORD)
def test_of_a_fault_only_the_referees_word_can_be_edited(
    name: str, number: int, path: Path
) -> None:
    """Only the kind of a fault and the output before it can be edited; the rules derive the rest.

    A bot with an illegal choice could have been stopped later, so its kind of fault can be edited.
    The reverse is impossible, because a choice is recorded. If no answers are recorded beside the
    fault, its seat can be edited too, as long as the seats keep their order.
    """
    seq = places(GAMES[name], "fault")[number]
    original = GAMES[name][seq]
    found = set()
    for field, values in EDITS.items():
        for value in values:
            changed = edited(GAMES[name], seq, field, value)
            if original.get(field) == value or verified(path, changed):
                found.add((field, value))
    same = {(field, value) for field, value in original.items() if value in EDITS.get(field, ())}
    assert found == REFEREES_WORD[name, number] | same


@pytest.mark.parametrize("name", ["illegal", "select"])
def test_an_output_that_is_taken_out_diverges(name: str, path: Path) -> None:
    """A choice without an output diverges, because every choice has an output, even if empty."""
    for seq in places(GAMES[name], "fault", "answered"):
        if "output" in GAMES[name][seq]:
            events = [dict(event) for event in GAMES[name]]
            del events[seq]["output"]
            told = verdict_on(path, sealed(events))
            assert told.verdict == "diverged"
            assert told.line is not None
            assert told.line <= seq + 1


@pytest.mark.parametrize("text", LEGAL)
def test_a_legal_choice_told_as_illegal_diverges(text: str, path: Path) -> None:
    """A legal choice, from 1 to 10, that is recorded as illegal diverges."""
    [seq] = places(GAMES["illegal"], "fault")
    told = verdict_on(path, sealed(edited(GAMES["illegal"], seq, "output", text)))
    assert (told.verdict, told.line) == ("diverged", 3), "the step's first event"


@pytest.mark.parametrize("text", NO_CHOICE)
def test_an_illegal_choice_told_as_legal_diverges(text: str, path: Path) -> None:
    """An answer beside a fault that is no choice diverges: it is a fault of its own."""
    for seq in places(GAMES["select"], "answered"):
        told = verdict_on(path, sealed(edited(GAMES["select"], seq, "output", text)))
        assert told.divergence
        assert (told.divergence.seq, told.divergence.field) == (seq, "type")
        assert told.divergence.recomputed == "fault"


@pytest.mark.parametrize("text", LEGAL)
def test_a_choice_beside_a_fault_is_the_bots_own(text: str, path: Path) -> None:
    """The round was not scored, so nothing tells one choice in it from another."""
    for seq in places(GAMES["select"], "answered"):
        assert verified(path, edited(GAMES["select"], seq, "output", text))


@pytest.mark.parametrize("name", ["select", "illegal"])
def test_no_answer_can_be_left_out_beside_a_fault(name: str, path: Path) -> None:
    """If a bot failed to choose, the others' choices are on record, each of them."""
    answers = places(GAMES[name], "answered")
    for size in (1, 2):
        for gone in combinations(answers, size):
            changed = [event for seq, event in enumerate(GAMES[name]) if seq not in gone]
            assert not verified(path, changed), gone


@pytest.mark.parametrize("name", VOID)
def test_faults_and_answers_doubled_moved_or_left_out_diverge(name: str, path: Path) -> None:
    """Each reply of the failed step is recorded once, in the order of the seats.

    If several bots failed before they could choose, the rules do not derive which bots failed.
    """
    events = GAMES[name]
    replies = places(events, "fault", "answered")
    for seq in replies:
        for place in range(1, len(events) + 1):
            assert not verified(path, [*events[:place], events[seq], *events[place:]])
        less = events[:seq] + events[seq + 1 :]
        assert verified(path, less) == (name == "constructs")
        for seat in (3, 99, 2**31 - 1):
            assert not verified(path, edited(events, seq, "seat", seat))
    for one, other in combinations(replies, 2):
        swapped = list(events)
        swapped[one], swapped[other] = events[other], events[one]
        assert not verified(path, swapped)


def test_a_fault_cannot_be_added_to_a_sound_game(path: Path) -> None:
    """A game that goes on after a fault, or ends otherwise than void, diverges."""
    events = GAMES["sound"]
    for place, ask, kind in product(
        range(1, len(events) + 1), ("construct", "update", "select"), (*KINDS, "illegal")
    ):
        added = fault(1, ask, kind, **({"output": "11"} if kind == "illegal" else {}))
        assert not verified(path, [*events[:place], added, *events[place:]]), (place, ask, kind)


THERE = {
    *((0, "construct", n) for n in range(1, 4)),
    *((k, "update", n) for k in range(1, 5) for n in range(1, 4)),
    *((k, "select", n) for k in range(4) for n in range(1, 4)),
}


@pytest.mark.parametrize("ask", ["construct", "update", "select"])
@pytest.mark.parametrize("kind", ["crash", "illegal"])
def test_a_game_is_void_only_by_a_step_that_there_is(ask: str, kind: str, path: Path) -> None:
    """A game can be void only by a step that exists: constructions, then updates and choices.

    Bots are constructed before the first round only, updated after each round, and asked before
    each round. A game that is void by another step diverges. Only a choice can be illegal.
    """
    raw = {"output": "11"} if kind == "illegal" else {}
    for rounds, failed in product(range(5), range(1, 4)):
        events = [START]
        events += [round_of(number, CHOICES[number - 1]) for number in range(1, rounds + 1)]
        events += [fault(seat, ask, kind, **raw) for seat in range(failed)]
        if ask == "select":
            events += [answered(seat, "5") for seat in range(failed, 3)]
        won = [event.get("winner") for event in events]
        events.append(finished("void", [won.count(seat) for seat in range(3)], []))
        possible = (rounds, ask, failed) in THERE and (kind == "crash" or ask == "select")
        assert verified(path, events) == possible, (rounds, failed)


def test_a_failure_may_be_told_as_one_of_the_step_before(path: Path) -> None:
    """Without the others' answers a failure to choose is one to be updated, or constructed.

    Which it was is the referee's word, as long as the whole record of the step says so.
    """
    for name, ask in (("select", "update"), ("all", "construct")):
        replies = places(GAMES[name], "fault", "answered")
        faults = [GAMES[name][seq] for seq in replies if GAMES[name][seq]["type"] == "fault"]
        told = [fault(one["seat"], ask) for one in faults]
        assert verified(path, [*GAMES[name][: replies[0]], *told, GAMES[name][-1]])


# --- Whatever is changed -------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_any_derived_field_that_is_edited_diverges(name: str, path: Path) -> None:
    """Each field of a game that follows from the answers, edited, diverges, or is corrupt.

    Choices and faults are in part no derived ones; they have tests of their own.
    """
    for seq, event in enumerate(GAMES[name]):
        if event["type"] in ("match_started", "fault"):
            continue
        fields = {key: value for key, value in derived(event).items() if key != "choices"}
        for field, value in sample(changes(fields, ""), seq):
            told = verdict_on(path, sealed(edited(GAMES[name], seq, field, value)))
            assert told.verdict in ("diverged", "corrupt"), (seq, field, value)
            assert told.line is not None
            assert told.line <= seq + 1
            if found := told.divergence:
                assert found.seq == seq or field == "seat", (seq, field, value)


@pytest.mark.parametrize("name", GAMES)
def test_events_removed_doubled_or_exchanged_diverge(name: str, path: Path) -> None:
    """A log with an event more, an event less or two events exchanged is not verified.

    If several bots could not be constructed, one of them can be left out (see above).
    """
    events = GAMES[name]
    for seq in range(1, len(events)):
        assert not verified(path, [*events[: seq + 1], *events[seq:]])
        less = verified(path, events[:seq] + events[seq + 1 :])
        assert less == (name == "constructs" and events[seq]["type"] == "fault")
        if seq > 1:
            moved = [*events[: seq - 1], events[seq], events[seq - 1], *events[seq + 1 :]]
            assert not verified(path, moved)


@pytest.mark.parametrize("name", GAMES)
def test_whatever_a_log_says_there_is_a_verdict(name: str, path: Path) -> None:
    """No value of any field stops the verifier, inputs and raw bytes included."""
    known = {"corrupt", "unsupported", "forged", "diverged", "verified"}
    for seq, event in enumerate(GAMES[name]):
        for field, value in sample(changes(event, ""), seq):
            told = verdict_on(path, sealed(edited(GAMES[name], seq, field, value)))
            assert told.verdict in known


# --- Explanations and states ---------------------------------------------------------------------

CLAUSES = rulebook.clauses(registry.card("smallest_unique"))


@pytest.mark.parametrize("seq", [1, 2, 3, 4])
def test_a_round_is_explained(seq: int) -> None:
    """The explanation of a round has the arguments and choices of all seats, clause and points."""
    found = explain(log_of(GAMES["sound"]), seq)
    assert (found.step.clause, found.clause_text) == ("SU-3", CLAUSES["SU-3"])
    assert isinstance(found.ask, JointAsk)
    assert found.ask.name == "select"
    assert found.ask.observation.choices == (CHOICES[seq - 2] if seq > 1 else None)
    assert found.answer is not None
    assert found.answer.event["choices"] == CHOICES[seq - 1]
    assert found.draws == []
    text = render.explanation_text(found)
    assert f"SU-3  {CLAUSES['SU-3']}" in text
    assert "asked: all seats, 'select'" in text
    assert f"answer, event {seq}: " in text
    assert f'"choices":{render.compact(CHOICES[seq - 1])}' in text
    assert text.index("\nbefore") < text.index("\nafter")
    shown = orjson.loads(render.explanation_json(found))
    assert shown["asked"] == {
        "seat": None,
        "ask": "select",
        "observation": {"choices": found.ask.observation.choices},
        "legal": list(LEGAL),
    }
    assert shown["answer"]["choices"] == CHOICES[seq - 1]


@pytest.mark.parametrize("name", VOID)
def test_a_fault_is_explained(name: str) -> None:
    """The explanation of a fault has clause SU-9, its step, what all seats got, and the failure."""
    log = log_of(GAMES[name])
    rounds = len(places(GAMES[name], "round"))
    for seq in places(GAMES[name], "fault"):
        found = explain(log, seq)
        assert (found.step.clause, found.clause_text) == ("SU-9", CLAUSES["SU-9"])
        assert isinstance(found.ask, JointAsk)
        assert found.ask.name == GAMES[name][seq]["ask"]
        assert found.ask.legal == (LEGAL if found.ask.name == "select" else ())
        assert found.ask.observation.choices == (CHOICES[rounds - 1] if rounds else None)
        assert found.answer is not None
        assert found.answer.event == GAMES[name][seq]
        text = render.explanation_text(found)
        assert "is disqualified if it raises" in text
        assert f'"ask":"{GAMES[name][seq]["ask"]}"' in text
        assert orjson.loads(render.explanation_json(found))["clause"] == "SU-9"


def test_a_result_is_explained() -> None:
    """A result rests on SU-5, or where the game is void on SU-9; an answer beside it on SU-2."""
    for name, events in GAMES.items():
        found = explain(log_of(events), len(events) - 1)
        assert found.step.clause == ("SU-5" if name == "sound" else "SU-9")
    answer = explain(log_of(GAMES["select"]), places(GAMES["select"], "answered")[0])
    assert (answer.step.clause, answer.clause_text) == ("SU-2", CLAUSES["SU-2"])


@pytest.mark.parametrize("name", GAMES)
def test_the_evidence_of_a_fault_is_that_of_its_seat(name: str, tmp_path: Path) -> None:
    """All notes of a step are kept under the event that it began with, each with its seat."""
    events = GAMES[name]
    path = tmp_path / "matches" / "1-000000.jsonl"
    write(path, events)
    first = next(iter(places(events, "fault", "answered")), len(events) - 1)
    notes = [{"seq": first, "seat": seat, "ask": "select", "exit": seat} for seat in range(3)]
    evidence = tmp_path / "evidence" / "1-000000.jsonl"
    evidence.parent.mkdir()
    evidence.write_bytes(b"".join(orjson.dumps(note) + b"\n" for note in notes))
    log = log_of(events)
    beside = type(log)(path, log.kind, log.card, log.version, log.events)
    for seq in places(events, "fault"):
        found = explain(beside, seq).evidence
        assert seq != first or found == notes[events[seq]["seat"]]


def test_the_state_after_each_round() -> None:
    """At every event points, choices and winner are those of the rounds up to it."""
    log = log_of(GAMES["sound"])
    points = [0, 0, 0]
    assert state_at(log, 0).state is None
    for number, choices in enumerate(CHOICES, 1):
        seat = smallest_unique(choices)
        points = [old + (one == seat) for one, old in enumerate(points)]
        assert state_at(log, number).state == {
            "rounds": number,
            "choices": choices,
            "winner": seat,
            "points": points,
        }
    assert state_at(log).state == state_at(log, len(CHOICES)).state


@pytest.mark.parametrize("name", VOID)
def test_a_failure_changes_no_state(name: str) -> None:
    """At a fault the state is that after the last round which was played."""
    log = log_of(GAMES[name])
    rounds = len(places(GAMES[name], "round"))
    states = [state_at(log, seq).state for seq in range(rounds + 1, len(GAMES[name]))]
    assert all(state == states[0] for state in states)
    assert states[0] is not None
    assert (states[0]["rounds"], states[0]["points"]) == (rounds, GAMES[name][-1]["scores"])


# --- The tournament's log ------------------------------------------------------------------------

SHORT = 1294
"""A random tournament in 20 events: too few games, then two bots out together, then a table."""

REPORTED = ("reason", "scores", "winners", "faults", "seal")
"""Fields that a tournament's log copies from its matches; only their logs can confirm them."""


def short() -> Held:
    """The tournament SHORT."""
    return random_tournament(SHORT)


@pytest.mark.parametrize("chunk", range(2))
def test_every_tournament_verifies(chunk: int) -> None:
    """Through all attempts the replay gives the same events."""
    for number in range(chunk, 200, 2):
        held = random_tournament(number)
        log = log_of(held.log, held.seed)
        again = rerun(log)
        assert [step.event for step in again] == log.events
        assert again.divergence is None


def test_the_short_tournament_has_every_event() -> None:
    """The log that is tampered with has attempts of both kinds, and a match with two faults."""
    events = short().events
    voided = [event["reason"] for event in events if event["type"] == "voided"]
    assert voided == ["too_few_games", "disqualified"]
    assert [event["type"] for event in events].count("disqualified") == 2
    assert len(events[-1]["standings"]) == 5


def test_any_derived_field_of_a_tournament_that_is_edited_diverges(path: Path) -> None:
    """Draw, attempts and final table follow from seed and results: an edit of any is found.

    An edit of the faults is found by what follows from them, unless one is only told twice.
    """
    held = short()
    for seq, event in enumerate(held.log[1:], 1):
        fields = {key: value for key, value in event.items() if key not in REPORTED}
        if event["type"] == "voided":
            fields["reason"] = event["reason"]
        for field, value in sample(changes(fields | fault_fields(event), ""), seq):
            told = verdict_on(path, sealed(edited(held.log, seq, field, value), held.seed))
            twice = field == "faults" and value == [*event["faults"], event["faults"][-1]]
            assert told.verdict in ("diverged", "corrupt") or twice, (seq, field, value)


def fault_fields(event: Mapping[str, Any]) -> dict[str, Any]:
    """The faults that a tournament knows of, if any."""
    return {"faults": event["faults"]} if event.get("faults") else {}


def test_a_fault_that_is_made_up_or_left_out_diverges(path: Path) -> None:
    """Faults decide which match comes next: one more or one less leads elsewhere."""
    held = short()
    for seq in places(held.log, "match_played"):
        faults = held.log[seq]["faults"]
        seats = range(len(held.log[seq]["seats"]))
        others = [[], [{"seat": seat, "kind": "crash"} for seat in seats]]
        others += [[{"seat": seat, "kind": kind}] for seat in seats for kind in (*KINDS, "illegal")]
        for other in others:
            if other != faults:
                changed = edited(held.log, seq, "faults", other)
                assert verdict_on(path, sealed(changed, held.seed)).verdict == "diverged"


def test_events_of_a_tournament_removed_doubled_or_moved_diverge(path: Path) -> None:
    """Each match, disqualification and void attempt is recorded once, in its place."""
    held = short()
    events = held.log
    for seq in range(1, len(events)):
        changed = [events[:seq] + events[seq + 1 :], [*events[: seq + 1], *events[seq:]]]
        if seq > 1:
            changed.append([*events[: seq - 1], events[seq], events[seq - 1], *events[seq + 1 :]])
        for one in changed:
            assert verdict_on(path, sealed(one, held.seed)).verdict == "diverged", seq


def test_a_winner_that_is_taken_out_of_the_last_attempt_diverges(path: Path) -> None:
    """The final table counts the winners of the attempt that counts; others change nothing."""
    held = short()
    for seq in places(held.log, "match_played"):
        if held.log[seq]["winners"]:
            fewer = edited(held.log, seq, "winners", held.log[seq]["winners"][1:])
            told = verdict_on(path, sealed(fewer, held.seed))
            counts = held.log[seq]["match"].startswith("3-")
            assert told.verdict == ("diverged" if counts else "verified")


@pytest.mark.parametrize("kinds", [("crash", "crash"), ("crash", "timeout")])
def test_nobody_is_disqualified_twice(kinds: tuple[str, str], path: Path) -> None:
    """A match that names one seat twice among its faults, with all that would follow, is found."""
    ended = result(2, faults=[(0, kind) for kind in kinds])
    seats = seated("1-000000", range(2), 2)
    out = [
        {"type": "disqualified", "entrant": seats[0], "match": "1-000000", "kind": kind}
        for kind in kinds
    ]
    events = [
        started(2, {"seats": 2, "rounds": 1, "games_per_entrant": 1} | LIMITS),
        match_played("1-000000", seats, ended),
        *out,
        {"type": "voided", "attempt": 1, "matches": 1, "reason": "disqualified"},
        {"type": "tournament_finished", "standings": []},
    ]
    assert verdict_on(path, sealed(events)).verdict in ("diverged", "corrupt")
    once = edited(events[:3] + events[4:], 1, "faults", [{"seat": 0, "kind": kinds[0]}])
    assert verdict_on(path, sealed(once)).verdict == "verified"


def test_whatever_a_tournaments_log_says_there_is_a_verdict(path: Path) -> None:
    """No value of any field stops the verifier."""
    held = short()
    for seq, event in enumerate(held.log):
        for field, value in sample(changes(event, ""), seq):
            told = verdict_on(path, sealed(edited(held.log, seq, field, value), held.seed))
            assert told.verdict in {"corrupt", "unsupported", "forged", "diverged", "verified"}


LIMITS = {"min_games_per_entrant": 0, "time_limit_s": 1}
HUGE = {"seats": 10, "rounds": 1_000_000, "games_per_entrant": 100_000} | LIMITS


@pytest.mark.parametrize("matches", [0, 1, 3])
@pytest.mark.parametrize("sound", [True, False])
def test_a_huge_schedule_is_not_drawn_to_refute_a_log(
    matches: int, sound: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that claims a thousand million games costs no more draws than it has matches, and one.

    It costs them twice: it is tried, and then explained. It makes no difference if those that it
    has are drawn well.
    """
    ids = [f"1-{number:06}" for number in range(matches)]
    draws = [seated(id, range(3_000), 10) if sound else tuple(range(10)) for id in ids]
    events = [
        started(3_000, HUGE),
        *(match_played(id, seats, result(10)) for id, seats in zip(ids, draws, strict=True)),
        {"type": "tournament_finished", "standings": []},
    ]
    drawn: list[str] = []
    sample = Dice.sample

    def counting(dice: Dice, label: str, items: Sequence[str], count: int) -> list[str]:
        drawn.append(label)
        assert len(drawn) <= 2 * (matches + 1)
        return sample(dice, label, items, count)

    monkeypatch.setattr(Dice, "sample", counting)
    told = verdict_on(path, sealed(events))
    assert told.verdict == "diverged"
    assert drawn


def test_a_tournament_is_explained() -> None:
    """Matches cite SU-6, disqualifications SU-9, too few games SU-7; the draw has its die."""
    held = short()
    log = log_of(held.log, held.seed)
    clauses = {"match_played": "SU-6", "disqualified": "SU-9", "tournament_finished": "SU-6"}
    for seq, event in enumerate(held.log[1:], 1):
        found = explain(log, seq)
        clause = clauses.get(event["type"])
        if event["type"] == "voided":
            clause = "SU-7" if event["reason"] == "too_few_games" else "SU-9"
        assert (found.step.clause, found.clause_text) == (clause, CLAUSES[str(clause)])
        assert f"{clause}  " in render.explanation_text(found)


# --- A tournament's folder -----------------------------------------------------------------------


def folder_of(folder: Path, number: int) -> dict[str, Events]:
    """A tournament's folder with all its matches; the matches by id.

    Bots choose at random; here and there some fail, in any step.
    """
    seed = hex_seed(number)
    made: dict[str, Events] = {}
    settings = {"seats": 3, "rounds": 2, "games_per_entrant": 2}

    def play(match: Any) -> Result:
        own = random.Random(f"{number}/{match.id}")
        chosen: list[Replies] = [[own.randint(1, 4) for _ in range(3)] for _ in range(2)]
        if own.random() < 0.1:
            chosen[1] = {0: printed("1"), 1: Fault("crash", during="select"), 2: printed("11")}
        match_seed = seal.match_seed(seed, match.id)
        game: Any = {"seats": 3, "rounds": 2, "games_per_entrant": 2}
        events = match_events(in_turn(*chosen), match_seed, "smallest_unique", 3, **game)
        events[0] |= {
            "tournament": "spring",
            "match": match.id,
            "players": [
                {"seat": seat, "name": f"bot{one}", "bot": BOT}
                for seat, one in enumerate(match.seats)
            ],
        }
        made[match.id] = events
        write(folder / f"matches/{match.id}.jsonl", events, match_seed)
        end, log = events[-1], log_of(events, match_seed)
        faults = tuple((one["seat"], one["kind"]) for one in events if one["type"] == "fault")
        scores, winners = tuple(end["scores"]), tuple(end["winners"])
        return Result(end["reason"], scores, winners, faults, log.seal["sha256"])

    held = Held(6, play, seed, **settings)
    write(folder / "tournament.jsonl", held.log, seed)
    return made


def test_a_folder_with_void_attempts_verifies(tmp_path: Path) -> None:
    """The matches of void attempts are on record, and all that is there verifies."""
    made = folder_of(tmp_path, 3)
    assert {id[0] for id in made} >= {"1", "2"}
    assert "void" in {events[-1]["reason"] for events in made.values()}
    assert findings(tmp_path) == {}


@pytest.mark.parametrize(
    "edit", [{"kind": "timeout"}, {"seat": 0}, {"output": "12", "kind": "illegal"}]
)
def test_a_void_match_is_held_against_its_tournament(
    edit: dict[str, object], tmp_path: Path
) -> None:
    """The verdict on an edited fault of a void match is *forged* or *diverged*."""
    made = folder_of(tmp_path, 3)
    id = next(id for id, events in made.items() if events[-1]["reason"] == "void")
    seq = places(made[id], "fault")[0]
    changed = [dict(event) for event in made[id]]
    changed[seq] |= edit
    write(tmp_path / f"matches/{id}.jsonl", changed, seal.match_seed(hex_seed(3), id))
    found = findings(tmp_path)
    name = "tournament.jsonl" if "tournament.jsonl" in found else f"{id}.jsonl"
    assert found[name].verdict in ("forged", "diverged")


def test_a_void_attempt_cannot_be_dropped(tmp_path: Path) -> None:
    """The log of a void match is missed like any other log."""
    folder_of(tmp_path, 3)
    (tmp_path / "matches/1-000000.jsonl").unlink()
    found = findings(tmp_path)
    assert {name: one.verdict for name, one in found.items()} == {"tournament.jsonl": "forged"}
    assert "1-000000.jsonl" in found["tournament.jsonl"].reason
