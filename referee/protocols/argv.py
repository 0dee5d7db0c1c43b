"""The *argv* protocol: one process per decision, which reads its arguments and prints its answer.

BH-6, BH-8, BH-30 and CN-6 to CN-8.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.table import Answer, ArgvCall, Ask, Fault, Reply
from referee.outcome import Outcome
from referee.protocols.base import Workspace
from schema.bot_output import CAP


def ask(
    question: Ask, bot_seed: str, workspace: Workspace
) -> tuple[Reply, Outcome, Mapping[str, bytes]]:
    """Ask a bot once: the reply, how its process ended, and everything that it wrote."""
    assert isinstance(question.observation, ArgvCall)
    outcome = workspace.run(bot_seed, question.args)
    return judge(outcome), outcome, {"output": outcome.output}


def judge(outcome: Outcome) -> Reply:
    """Return the first fault that applies, of crash, timeout and oversize, or else the answer.

    A timeout keeps no output: the amount depends on the moment at which the bot was stopped.
    """
    raw = {"output": outcome.output}
    if outcome.crashed:
        return Fault("crash", raw)
    if outcome.timed_out:
        return Fault("timeout")
    if outcome.flooded or len(outcome.output) > CAP:
        return Fault("oversize", raw)
    return Answer(raw)
