"""The result of asking bots again, as text for people and as versioned JSON for programs."""

from __future__ import annotations

from dataclasses import asdict
from math import ceil

from games.narration import Narrator
from replay.reask import ReaskResult
from replay.render import event_lines, json, shown, text
from schema.reader import Log
from schema.words import counted


def reask_text(log: Log, result: ReaskResult) -> str:
    """Return the answers that differ, the bots that are not reproducible, and totals."""
    players, times, narrate = result.players, result.times, Narrator(log.card, log.start)
    lines = []
    for change in result.differences:
        lines += [
            f"event {change.seq}, {players[change.seat]} (seat {change.seat}), asked {change.ask}:",
            *event_lines("recorded", narrate(log.events[change.seq]), change.recorded),
            f"  now       {shown(change.again)}, {times} times out of {times}",
        ]
    for seat, change in result.not_reproducible.items():
        lines += [
            f"{players[seat]} (seat {seat}) is not reproducible: asked {change.ask} for event "
            f"{change.seq}, it answered {shown(change.again)}, then {shown(change.once_more)}",
        ]
    if result.differences:
        lines += [
            f"An answer with a probability of {_detectable_percent(times)} % or more appears in "
            f"{times} runs with a probability of 95 %.",
            "No difference proves that the log was changed: a bot that reads the clock, or looks "
            "at the machine, can answer otherwise now.",
        ]
    asked = len(result.seats)
    reproducible = asked - len(result.not_reproducible)
    lines += [
        f"{counted(result.answers, 'answer')}, {len(result.differences)} of them other than "
        f"recorded; {reproducible} of {counted(asked, 'bot')} {'is' if asked == 1 else 'are'} "
        "reproducible"
    ]
    return text(lines)


def _detectable_percent(times: int) -> int:
    """Return the least probability, in percent, that shows in ``times`` runs 95 % of the time."""
    probability: float = 1 - 0.05 ** (1 / times)
    return ceil(100 * probability)


def reask_json(log: Log, result: ReaskResult) -> str:
    """Return ``koth-reask/1``: the same for programs."""
    narrate = Narrator(log.card, log.start)
    return json(
        "koth-reask/1",
        answers=result.answers,
        times=result.times,
        seats=sorted(result.seats),
        differences=[
            {**asdict(change), "sentence": narrate(log.events[change.seq])}
            for change in result.differences
        ],
        not_reproducible=[asdict(change) for change in result.not_reproducible.values()],
    )
