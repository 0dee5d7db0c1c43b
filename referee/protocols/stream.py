"""The *stream* protocol: one process per match, which reads a line and writes a line.

The process starts with the bot's first question. Line N of its standard output is the answer to its
question N, at whatever time the bot writes it. So equal lines give equal logs, however the times
differ. The first fault ends the process, and counts for all later questions of the match. So a late
answer never reaches a later question.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from games.table import Answer, Ask, Fault, Replies, Reply, StreamCall
from referee.bot import Bot
from referee.protocols import function, script
from referee.protocols.base import Evidence, Seating, Session
from referee.protocols.line_process import Launch
from referee.protocols.system import SystemProcess, attend, expect
from referee.roster.functions import FunctionBot
from schema import seal
from schema.bot_output import CAP
from schema.contract import LOADING
from schema.errors import GameError


class StreamProcess(SystemProcess):
    """The process of one bot in one match."""

    def __init__(self, bot: Bot, seed: str, seating: Seating) -> None:
        """Start it. Raises RefereeError if the referee lacks the means."""
        super().__init__(seating.time_limit * LOADING)
        self.time_limit = seating.time_limit
        self.reply: Reply | None = None
        """The reply to the last question; None while it is due."""
        self.early = False
        """Whether a part of the answer was there before the question."""
        self.start(Launch(bot, seed, seating.isolation, seating.time_limit, cold=seating.cold))

    def ask(self, line: str) -> None:
        """Put a question; the reply is there when the process is no longer ``waiting``."""
        if self.reply is not None and not self.buffer:  # it starts with its first question
            self.read_early()
        self.resume()
        self.reply, self.early, self.waiting = None, bool(self.buffer), True
        self.seconds = self.computed = self.waited = 0.0
        self.begin_part()
        self.take_lines()
        if self.has_ended():  # a child of it may go on, but is not asked
            self.read_rest()
        else:
            self.send(line.encode() + b"\n")

    def take_lines(self) -> None:
        """Take the answer out of the buffer: a line without its end, of at most ``CAP`` bytes."""
        line, newline, rest = self.buffer.partition(b"\n")
        if len(line) > CAP:
            self.fail("oversize")
        elif newline:
            self.buffer = rest
            self.reply, self.waiting = Answer({"output": line}), False
            self.end_part()
            self.limit = self.time_limit

    def fail(self, kind: str) -> None:
        """Let the reply be a fault. A timeout keeps no output, which depends on the moment."""
        raw = {} if kind == "timeout" else {"output": self.buffer[: CAP + 1]}
        self.reply, self.waiting = Fault(kind, raw), False
        self.end_part()

    def note(self) -> Evidence:
        """Return the evidence of the last question, with the standard error since its note."""
        note: Evidence = {"ms": round(self.seconds * 1000, 3)}
        if self.computed or self.waited:
            note["cpu_ms"] = round(self.computed * 1000, 3)
            note["waited_ms"] = round(self.waited * 1000, 3)
        if self.early:
            note["early"] = True
        if isinstance(self.reply, Fault) and self.reply.kind == "crash":
            note["exit"] = self.status()
            if error := self.start_error():
                note["error"] = error
        if stderr := self.new_stderr():
            note["stderr"] = stderr
        if isinstance(self.reply, Fault) and self.reply.kind == "timeout":
            note["partial"] = {"output": b64encode(self.buffer[:CAP]).decode()}
        return note


class StreamMatch:
    """The bots of one match: their processes, and the faults that ended some of them, by seat."""

    def __init__(self, seating: Seating) -> None:
        self.seating = seating
        self.seeds = [seal.bot_seed(seating.seed, seat) for seat in range(len(seating.bots))]
        self.processes: dict[int, StreamProcess] = {}
        self.faults: dict[int, Fault] = {}

    def ask(self, asks: Sequence[Ask]) -> tuple[Replies, list[Evidence]]:
        """Ask bots at the same time; return the replies and the evidence.

        Raises GameError if a question has several lines, and RefereeError if a bot cannot start
        because the referee lacks the means.
        """
        if len({ask.seat for ask in asks}) < len(asks):  # a bot is asked one question at a time
            reactions = [reaction for ask in asks for reaction in self.reactions([ask])]
        else:
            reactions = self.reactions(asks)
        return [reply for reply, _ in reactions], [note for _, note in reactions]

    def reactions(self, asks: Sequence[Ask]) -> list[tuple[Reply, Evidence]]:
        """Return the reply and the evidence of each of ``asks``, which have different seats."""
        lines = [line_of(ask) for ask in asks]
        for ask in asks:
            bot = self.seating.bots[ask.seat]
            is_known = ask.seat in self.processes or ask.seat in self.faults
            if not (is_known or isinstance(bot, FunctionBot)):
                seed = self.seeds[ask.seat]
                self.processes[ask.seat] = StreamProcess(bot, seed, self.seating)
        for ask, line in zip(asks, lines, strict=True):
            if ask.seat in self.processes:
                self.processes[ask.seat].ask(line)
        attend([*self.processes.values()])
        return [self.reaction(ask) for ask in asks]

    def reaction(self, ask: Ask) -> tuple[Reply, Evidence]:
        """Return a bot's reply, with the evidence. A fault ends its process."""
        note: Evidence = {"seat": ask.seat, "ask": ask.name}
        bot = self.seating.bots[ask.seat]
        if ask.seat in self.faults:
            return self.faults[ask.seat], note | {"ended_earlier": True}
        if isinstance(bot, FunctionBot):
            reply, outcome, raw = function.ask(ask, self.seeds[ask.seat], bot)
            note |= script.evidence(outcome, raw)
        else:
            process = self.processes[ask.seat]
            assert process.reply is not None
            reply, note = process.reply, note | process.note()
        if isinstance(reply, Fault):
            self.faults[ask.seat] = Fault(reply.kind)
            if ask.seat in self.processes:
                self.processes.pop(ask.seat).end()
        return reply, note

    def end(self) -> None:
        """End all processes."""
        with ExitStack() as stack:
            for process in self.processes.values():
                stack.callback(process.end)


@contextmanager
def open_session(seating: Seating) -> Iterator[Session]:
    """Open a match of bots that read and write lines."""
    programs = [bot for bot in seating.bots if not isinstance(bot, FunctionBot)]
    expect(programs, seating.isolation, seating.cold)
    match = StreamMatch(seating)
    try:
        yield match.ask
    finally:
        match.end()


def line_of(ask: Ask) -> str:
    """Return the line that a question puts. Raises GameError if it has a line end."""
    assert isinstance(ask.observation, StreamCall)
    if "\n" in ask.observation.line:
        raise GameError(f"expected the question '{ask.name}' in one line, found a line end in it.")
    return ask.observation.line
