"""Say whether the decisions or matches of a bot share a process, and why not."""

from __future__ import annotations

from dataclasses import dataclass

from referee.bot import Bot
from referee.self_contained import proof, scripts
from referee.self_contained.names import NotProven

UNITS = {"argv": "decision", "file": "decision", "class": "match"}
"""Units that have a process of their own without a proof, by protocol."""


@dataclass(frozen=True)
class Sharing:
    """Sharing of a bot's processes."""

    process: str
    """``shared``, or such as ``one per decision``."""
    reason: str
    """Why it is not shared: the first line of code that the proof rejects, or a fact."""


def sharing(bot: Bot, protocol: str) -> Sharing:
    """Return how the processes of a bot are shared in a game of this protocol."""
    unit = UNITS.get(protocol)
    if unit is None:
        return Sharing("one per match", f"the protocol {protocol}")
    objection = proof.objection(bot) if unit == "match" else scripts.objection(bot)
    if objection is None:
        return Sharing("shared", "")
    return Sharing(f"one per {unit}", _reason(bot, objection))


def _reason(bot: Bot, objection: NotProven) -> str:
    if objection.line is None:
        return str(objection) or "a name stands for two things"
    # Texts also divide at characters that end no line of Python.
    lines = dict(bot.files)[bot.command[-1]].content.splitlines()
    return f"line {objection.line}: {lines[objection.line - 1].decode(errors='replace').strip()}"
