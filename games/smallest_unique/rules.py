"""Smallest Unique Number, rules version ``smallest_unique/1``: a game. Clauses are in RULES.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.smallest_unique.events import Settings
from games.table import (
    Answer,
    ClassCall,
    Fault,
    JointAsk,
    MatchRules,
    MatchTable,
    Part,
    Reply,
    replies_by_seat,
)
from schema.canonical import Event

Table = MatchTable[Settings]

LOWEST, HIGHEST = 1, 10
NUMBERS = tuple(range(LOWEST, HIGHEST + 1))
"""What may be chosen (SU-2), the smallest first."""
LEGAL = tuple(map(str, NUMBERS))
ALL_NUMBERS = frozenset(NUMBERS).issuperset
"""Whether all of these may be chosen."""

BEGINNING, BETWEEN, END = ("construct", "select"), ("update", "select"), ("update",)
"""The steps in which a bot can fail before, between and after the rounds, in order (SU-9)."""

NOTHING = Answer({})


@dataclass
class State:
    """Everything there is to know of a game between two rounds."""

    points: list[int]
    rounds: int = 0
    choices: list[int] = field(default_factory=list)
    """What everybody chose last, in one list for the whole game."""
    winner: int | None = None

    def snapshot(self) -> dict[str, object]:
        """The state for display."""
        return {
            "rounds": self.rounds,
            "choices": list(self.choices) or None,
            "winner": self.winner,
            "points": list(self.points),
        }


def play(table: Table) -> MatchRules:
    """One game, from the first round to the result (SU-1 to SU-5, SU-9)."""
    seats = len(table.players)
    table.state = state = State([0] * seats)
    ask = JointAsk("select", ClassCall(None), LEGAL)  # SU-4: then all hear of every choice
    again = JointAsk("select", ClassCall(state.choices), LEGAL)
    for number in range(1, table.settings.rounds + 1):
        choices = yield ask
        if not are_legal(choices, seats):
            return void(table, state, choices, BEGINNING if number == 1 else BETWEEN)
        table.emit(score(state, number, choices), "SU-3")
        ask = again
    failures = yield JointAsk("update", ClassCall(state.choices), ())
    if failures:
        return void(table, state, failures, END)
    most = max(state.points)
    winners = [seat for seat, points in enumerate(state.points) if points == most]
    table.finish("played", state.points, winners, "SU-5")


def are_legal(choices: Sequence[int] | Mapping[int, Reply], seats: int) -> bool:
    """SU-2: an integer from 1 to 10 of every seat; nobody failed."""
    return type(choices) is list and len(choices) == seats and ALL_NUMBERS(choices)


def score(state: State, number: int, choices: Sequence[int]) -> Event:
    """SU-3: the smallest number that only one bot chose scores a point.

    The event carries the answers of all seats.
    """
    state.rounds, state.choices[:] = number, choices
    state.winner = seat = winner(choices)
    if seat is None:
        return {"type": "round", "round": number, "choices": choices}
    state.points[seat] += 1
    return {"type": "round", "round": number, "choices": choices, "winner": seat}


def winner(choices: Sequence[int]) -> int | None:
    """The seat with the smallest unique number, if there is one (SU-3)."""
    for number in NUMBERS:
        if choices.count(number) == 1:
            return choices.index(number)
    return None


# --- When a bot fails (SU-9) ---------------------------------------------------------------------


def void(
    table: Table,
    state: State,
    given: Sequence[int] | Mapping[int, Reply],
    steps: Sequence[str],
) -> None:
    """SU-9: who fails in the earliest step that holds a failure is out; the game is void."""
    replies = replies_by_seat(given)
    failures = {seat: failed_in(reply) for seat, reply in replies.items()}
    for step in steps:
        if step in failures.values():
            record(table, step, replies, failures)
            break
    table.finish("void", state.points, [], "SU-9")


def record(
    table: Table,
    step: str,
    replies: Mapping[int, Reply],
    failures: Mapping[int, str | None],
) -> None:
    """Who failed in ``step``; if that was the choice, what the others chose."""
    for seat in range(len(table.players)):
        ask = Part(seat, step)
        reply = replies.get(seat, NOTHING)
        if failures.get(seat) == step:
            table.reject(ask, reply, "SU-9", "disqualified")
        elif step == "select":
            table.accept(ask, Answer(reply.raw), "SU-2")


def failed_in(reply: Reply) -> str | None:
    """The step in which a bot failed; None if it did not."""
    if isinstance(reply, Fault):
        return reply.during or "select"
    return None if reply.text("output") in LEGAL else "select"
