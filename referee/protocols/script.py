"""Play matches of scripts: each decision runs a bot's program once, in its scratch folder.

A decision passes these steps, each of which calls the next:

1. ``decide`` derives the bot's seed and opens its workspace;
2. ``argv.ask`` or ``file.ask`` hands over the question, and judges the result;
3. ``Workspace.run`` (:mod:`referee.protocols.workspace`) takes a fork server or a sandbox, or the
   process that it started ahead (:mod:`referee.processes.start_ahead`);
4. ``ForkServer.decide`` (:mod:`referee.processes.fork_client`) runs the bot in a fork;
5. ``read_output`` (:mod:`referee.processes.process`) collects its output within its limits.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from itertools import islice

from games.table import ArgvCall, Ask, Replies, Reply
from referee.errors import RefereeError
from referee.outcome import Outcome, ServerLost
from referee.protocols import argv, file, function
from referee.protocols.base import Evidence, Seating, Session, Workspace
from referee.protocols.system import ahead_at_once, expect, kept_at_once, open_workspace
from referee.roster.functions import FunctionBot
from referee.self_contained.scripts import may_share_scratch
from schema import seal
from schema.bot_output import CAP

TRIES = 4
"""Attempts to start a bot: an earlier decision may have left something that ends fork servers."""


@contextmanager
def open_session(seating: Seating) -> Iterator[Session]:
    """Open a match of scripts, in the protocol *argv* or *file*."""
    decisions: Counter[int] = Counter()
    at_once, most_kept = ahead_at_once(seating.cold), kept_at_once(seating)
    programs = {
        seat: bot for seat, bot in enumerate(seating.bots) if not isinstance(bot, FunctionBot)
    }
    expect(programs.values(), seating.isolation, seating.cold)
    with ExitStack() as stack:
        workspaces: dict[int, Workspace] = {}
        for seat, bot in programs.items():
            may_keep = len(workspaces) < most_kept and may_share_scratch(bot) and not seating.cold
            if seating.scratch == "match" or may_keep:
                kept = replace(seating, scratch="match")
                workspaces[seat] = stack.enter_context(open_workspace(bot, kept))

        turns = OrderedDict.fromkeys(workspaces)
        """The seats with a workspace; the seat that was asked longest ago comes first."""

        def bot_seed_of(seat: int) -> str:
            return seal.bot_seed(seating.seed, seat, decisions[seat])

        def start_ahead(current: int) -> None:
            """Start bots that are probably asked next: those that were asked longest ago."""
            if current in turns:
                turns.move_to_end(current)
            for seat in islice(turns, at_once):
                if seat != current:
                    workspaces[seat].start_ahead(bot_seed_of(seat))

        def answer(asks: Sequence[Ask]) -> tuple[Replies, list[Evidence]]:
            replies, notes = [], []
            for ask in asks:
                start_ahead(ask.seat)
                bot_seed = bot_seed_of(ask.seat)
                decisions[ask.seat] += 1
                reply, note = decide(ask, bot_seed, seating, workspaces)
                replies.append(reply)
                notes.append({"seat": ask.seat, "ask": ask.name} | note)
            return replies, notes

        yield answer


def decide(
    ask: Ask, bot_seed: str, seating: Seating, workspaces: Mapping[int, Workspace]
) -> tuple[Reply, Evidence]:
    """Ask a bot once: its reply, and the evidence. Raises RefereeError if it cannot be started.

    Without one of the ``workspaces`` of the match, the bot gets one for this decision.
    """
    bot, kept = seating.bots[ask.seat], workspaces.get(ask.seat)
    if isinstance(bot, FunctionBot):
        reply, outcome, raw = function.ask(ask, bot_seed, bot)
        return reply, evidence(outcome, raw)
    put = argv.ask if isinstance(ask.observation, ArgvCall) else file.ask
    for _ in range(TRIES):
        opened = open_workspace(bot, seating) if kept is None else nullcontext(kept)
        with suppress(ServerLost), opened as workspace:
            reply, outcome, raw = put(ask, bot_seed, workspace)
            return reply, evidence(outcome, raw)
    problem = f"the process that starts it ended before that, {TRIES} times"
    raise RefereeError(f"{bot.name} cannot be started: {problem}.")


def evidence(outcome: Outcome, raw: Mapping[str, bytes]) -> Evidence:
    """Return what the log does not keep of a decision; ``raw`` is everything the bot wrote."""
    kept: Evidence = {"ms": round(outcome.seconds * 1000, 3)}
    if outcome.measured:
        kept["cpu_ms"] = round(outcome.computed * 1000, 3)
        kept["waited_ms"] = round(outcome.waited * 1000, 3)
    kept["exit"] = outcome.exit
    if outcome.ahead:
        kept["ahead"] = True
    if outcome.error:
        kept["error"] = outcome.error
    if outcome.stderr:
        kept["stderr"] = outcome.stderr.decode(errors="replace")
    if outcome.timed_out or outcome.flooded:
        kept["partial"] = {channel: b64encode(data[:CAP]).decode() for channel, data in raw.items()}
    return kept
