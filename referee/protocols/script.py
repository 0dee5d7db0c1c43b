"""Bots that are scripts: a process per decision, in a scratch folder named after the bot.

What the protocols *argv* and *file* share. Python scripts run warm
(:mod:`referee.pools.warm_pool`), others start cold; both come to the same. A script never sees
anything of its earlier processes, but what its game lets it keep in its scratch.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress

from games.table import Ask, Replies, Reply
from referee.errors import RefereeError
from referee.pools import warm_pool
from referee.processes.process import Outcome
from referee.protocols import workspace
from referee.protocols.base import Evidence, Seating, Session
from referee.protocols.workspace import SandboxLost, Workspace
from schema import seal
from schema.bot_output import CAP

Call = Callable[[Ask, str, Workspace], tuple[Reply, Evidence]]
"""Puts one ask to a bot, as a protocol does it, with the bot's seed and its place."""

TRIES = 2
"""A sandbox may have been ended by what an earlier decision left."""


@contextmanager
def open_session(seating: Seating, call: Call) -> Iterator[Session]:
    """A match of scripts, each decision of which is put to a bot by ``call``."""
    decisions: Counter[int] = Counter()
    if not seating.cold and seating.isolation != "sandbox":
        warm_pool.seat(seating.bots)
    with ExitStack() as stack:
        homes: list[Workspace] = []
        if seating.scratch == "match":
            homes += [stack.enter_context(workspace.opened(bot, seating)) for bot in seating.bots]

        def decide(ask: Ask) -> tuple[Reply, Evidence]:
            bot_seed = seal.bot_seed(seating.seed, ask.seat, decisions[ask.seat])
            decisions[ask.seat] += 1
            for _ in range(TRIES):
                with suppress(SandboxLost):
                    if homes:
                        return call(ask, bot_seed, homes[ask.seat])
                    with workspace.opened(seating.bots[ask.seat], seating) as home:
                        return call(ask, bot_seed, home)
            name = seating.bots[ask.seat].name
            raise RefereeError(f"the sandbox of {name} ends before its bot is begun.")

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
    kept: Evidence = {
        "ms": round(outcome.seconds * 1000, 3),
        "cpu_ms": round(outcome.computed * 1000, 3),
        "waited_ms": round(outcome.waited * 1000, 3),
        "exit": outcome.exit,
    }
    if outcome.error:
        kept["error"] = outcome.error
    if outcome.stderr:
        kept["stderr"] = outcome.stderr.decode(errors="replace")
    if outcome.timed_out or outcome.flooded:
        kept["partial"] = {channel: b64encode(data[:CAP]).decode() for channel, data in raw.items()}
    return kept
