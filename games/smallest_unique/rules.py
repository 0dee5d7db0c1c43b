"""The rules of Smallest Unique Number, version ``smallest_unique/1``; clauses are in RULES.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.smallest_unique.events import Settings
from games.standings import winners
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
"""The numbers that can be chosen (SU-2), the smallest first."""
LEGAL = tuple(map(str, NUMBERS))

FIRST_ROUND, LATER_ROUND, LAST_UPDATE = ("construct", "select"), ("update", "select"), ("update",)
"""SU-9: the steps in which a bot can fail, in order, at each question."""

NO_ANSWER = Answer({})


@dataclass
class State:
    """The state of a game between two rounds; ``points`` is by seat."""

    points: list[int]
    rounds: int = 0
    choices: list[int] = field(default_factory=list)
    """The last choices by seat; the list object is the same for the whole game."""
    winner: int | None = None

    def snapshot(self) -> dict[str, object]:
        """Return the state for display."""
        return {
            "rounds": self.rounds,
            "choices": list(self.choices) or None,
            "winner": self.winner,
            "points": list(self.points),
        }


def play(table: Table) -> MatchRules:
    """Play one game, from the first round to the result (SU-1 to SU-5, SU-9)."""
    seats = len(table.players)
    table.state = state = State([0] * seats)
    question = JointAsk("select", ClassCall(None), LEGAL)
    # SU-4: after a round every bot gets all choices. The list is updated in place.
    with_choices = JointAsk("select", ClassCall(state.choices), LEGAL)
    for number in range(1, table.settings.rounds + 1):
        choices = yield question
        if not isinstance(choices, list):  # some seat has no legal choice (SU-2)
            return void(table, state, choices, FIRST_ROUND if number == 1 else LATER_ROUND)
        table.emit(score(state, number, choices), "SU-3")
        question = with_choices
    failures = yield JointAsk("update", ClassCall(state.choices), ())
    if failures:
        return void(table, state, failures, LAST_UPDATE)
    table.finish("played", state.points, winners(state.points), "SU-5")


def score(state: State, number: int, choices: Sequence[int]) -> Event:
    """SU-3: give a point for the smallest unique number, and return the event of the round.

    The event records the answers of all seats.
    """
    state.rounds, state.choices[:] = number, choices
    state.winner = seat = winner(choices)
    if seat is None:
        return {"type": "round", "round": number, "choices": choices}
    state.points[seat] += 1
    return {"type": "round", "round": number, "choices": choices, "winner": seat}


def winner(choices: Sequence[int]) -> int | None:
    """SU-3: return the seat with the smallest unique number, if there is one."""
    for number in NUMBERS:
        if choices.count(number) == 1:
            return choices.index(number)
    return None


# --- When a bot fails (SU-9) ---------------------------------------------------------------------


def void(
    table: Table,
    state: State,
    joint_replies: Sequence[int] | Mapping[int, Reply],
    steps: Sequence[str],
) -> None:
    """SU-9: disqualify the bots that failed in the first step with a failure; void the game."""
    replies = replies_by_seat(joint_replies)
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
    """Record the failures in ``step``; if that was the choice, record the other choices, too."""
    for seat in range(len(table.players)):
        ask = Part(seat, step)
        reply = replies.get(seat, NO_ANSWER)
        if failures.get(seat) == step:
            table.reject(ask, reply, "SU-9", "disqualified")
        elif step == "select":
            table.accept(ask, Answer(reply.raw), "SU-2")


def failed_in(reply: Reply) -> str | None:
    """Return the step in which a bot failed, or None if it did not."""
    if isinstance(reply, Fault):
        return reply.during or "select"
    return None if reply.text("output") in LEGAL else "select"
