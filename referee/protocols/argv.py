"""The *argv* protocol: a process per decision, asked by its arguments, that prints its answer.

BH-6, BH-8, BH-30 and CN-6 to CN-8.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from games.table import Answer, ArgvCall, Ask, Fault, Reply
from referee.processes.process import Outcome
from referee.protocols import script
from referee.protocols.base import Evidence, Seating, Session
from referee.protocols.workspace import Workspace
from schema.bot_output import CAP


def open_session(seating: Seating) -> AbstractContextManager[Session]:
    """A match in the *argv* protocol."""
    return script.open_session(seating, call)


def call(ask: Ask, bot_seed: str, place: Workspace) -> tuple[Reply, Evidence]:
    """Ask once: the reply, and the evidence."""
    assert isinstance(ask.observation, ArgvCall)
    outcome = place.run(bot_seed, ask.observation.args)
    return judge(outcome), script.evidence(outcome, {"output": outcome.output})


def judge(outcome: Outcome) -> Reply:
    """The first that applies of crash, timeout and oversize; else the answer.

    Of a bot that was too slow the log keeps nothing: how much it had said depends on the moment.
    """
    raw = {"output": outcome.output}
    if outcome.crashed:
        return Fault("crash", raw)
    if outcome.timed_out:
        return Fault("timeout")
    if outcome.flooded or len(outcome.output) > CAP:
        return Fault("oversize", raw)
    return Answer(raw)
