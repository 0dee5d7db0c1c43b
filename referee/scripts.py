"""Bots that are scripts: a process per decision, in a scratch folder named after the bot.

What the protocols *argv* and *file* share. Python scripts run warm (:mod:`referee.warm`), others
start cold; both come to the same. A script never sees anything of its earlier processes, but what
its game lets it keep in its scratch.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from games.table import Ask, Replies, Reply
from referee import process, scratch, warm
from referee.process import Outcome
from referee.protocol import Evidence, Seating, Session, environment
from schema import seal
from schema.raw import CAP

Run = Callable[[Sequence[str]], Outcome]
"""Runs the bot once, with these arguments."""

Call = Callable[[Ask, Run], tuple[Reply, Evidence]]
"""Puts one ask to a bot, as a protocol does it."""


@contextmanager
def open_session(seating: Seating, call: Call) -> Iterator[Session]:
    """A match of scripts, each decision of which is put to a bot by ``call``."""
    homes = [seating.folder / str(seat) / bot.name for seat, bot in enumerate(seating.bots)]
    decisions: Counter[int] = Counter()
    if not seating.cold:
        warm.seat(seating.bots)
    if seating.scratch == "match":
        for bot, home in zip(seating.bots, homes, strict=True):
            bot.install(home)

    def decide(ask: Ask) -> tuple[Reply, Evidence]:
        if seating.scratch == "match":
            return decide_in(homes[ask.seat], ask)
        with scratch.folder() as place:  # nothing that an earlier decision did is in its way
            home = place / seating.bots[ask.seat].name
            seating.bots[ask.seat].install(home)
            return decide_in(home, ask)

    def decide_in(home: Path, ask: Ask) -> tuple[Reply, Evidence]:
        bot = seating.bots[ask.seat]
        bot_seed = seal.bot_seed(seating.seed, ask.seat, decisions[ask.seat])
        decisions[ask.seat] += 1

        def run(arguments: Sequence[str]) -> Outcome:
            limit = seating.time_limit
            outcome = None if seating.cold else warm.run(bot, home, bot_seed, arguments, limit)
            if outcome is None:
                command = [*bot.command, *arguments]
                outcome = process.run(command, home, environment(bot_seed), limit)
            return outcome

        return call(ask, run)

    def answer(asks: Sequence[Ask]) -> tuple[Replies, list[Evidence]]:
        replies, notes = [], []
        for ask in asks:
            reply, note = decide(ask)
            replies.append(reply)
            notes.append({"seat": ask.seat, "ask": ask.name} | note)
        return replies, notes

    yield answer


def evidence(outcome: Outcome, raw: Mapping[str, bytes]) -> Evidence:
    """What the log does not keep, for people who ask why; ``raw`` is all that the bot wrote."""
    kept: Evidence = {"ms": round(outcome.seconds * 1000, 3), "exit": outcome.exit}
    if outcome.error:
        kept["error"] = outcome.error
    if outcome.stderr:
        kept["stderr"] = outcome.stderr.decode(errors="replace")
    if outcome.timed_out or outcome.flooded:
        kept["partial"] = {channel: b64encode(data[:CAP]).decode() for channel, data in raw.items()}
    return kept
