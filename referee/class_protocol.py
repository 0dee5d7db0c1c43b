"""The *class* protocol: a Python class in a process of its own, kept for a match (SU-8 to SU-10).

All bots are told and asked at the same time, over pipes. What a bot fails in (construct, update,
select) is known from the steps that it has come through.
"""

from __future__ import annotations

import os
import re
import select
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

from games.table import Answer, Fault, JointAsk, Replies, Reply
from referee import process, sandboxes, scratch
from referee.bots import Bot
from referee.process import PIPE_READS, STDERR_TAIL, Attached
from referee.protocol import Evidence, Seating, Session, environment
from schema import seal
from schema.raw import CAP

RUNNER = Path(__file__).with_name("class_runner.py")
INTEGER = re.compile(rb"-?[0-9]{1,19}")
LONGEST = 2 * CAP
"""Bytes without an end of line that are waited for: more than the runner ever sends."""
LOADING = 10
"""How many times longer than a call it may take to load a bot's file, imports included (SU-9)."""
MOMENT = 0.1
START_LIMIT = 60
"""Seconds that an interpreter may take to start; nothing of the bot runs yet."""


@contextmanager
def open_session(seating: Seating) -> Iterator[Session]:
    """A match of class bots: all processes are up when it begins, and gone when it ends."""
    players: list[Player] = []
    with ExitStack() as stack:
        for seat in range(len(seating.bots)):
            players.append(Player.start(seat, seating, stack))
        attend(players, ["ready"], START_LIMIT)

        def answer(asked: JointAsk) -> tuple[Replies, list[Evidence]]:
            choices = asked.observation.choices
            steps = ["load", "construct"] if choices is None else ["update"]
            steps += ["select"] if asked.legal else []
            told = " ".join([asked.name, *map(str, choices or ())])
            for player in players:
                player.tell(told)
            attend(players, steps, seating.time_limit)
            chosen = [player.chosen for player in players]
            if asked.legal and integers(asked.legal).issuperset(chosen):
                return cast(list[int], chosen), []
            notes = [player.evidence(asked.name) for player in players]
            if asked.legal or any(player.fault for player in players):
                return {p.seat: reply for p in players if (reply := p.reply())}, notes
            return None, notes

        yield answer


@cache
def integers(legal: tuple[str, ...]) -> frozenset[int | None]:
    """The legal choices."""
    return frozenset(map(int, legal))


@dataclass
class Player:
    """One bot's process, and how far it has come. The first failure stands."""

    seat: int
    process: Attached | None = None
    steps: list[str] = field(default_factory=list)
    """What it still has to come through."""
    deadline: float = 0.0
    fault: Fault | None = None
    said: bytes | None = None
    """What it chose, as it came."""
    chosen: int | None = None
    """The same as an integer, if it is one."""
    buffer: bytes = b""
    stderr: bytes = b""
    asked: float = 0.0
    seconds: float = 0.0
    slowest: float = 0.0

    @classmethod
    def start(cls, seat: int, seating: Seating, stack: ExitStack) -> Player:
        """Start the bot's interpreter, with its files around it, until the end of ``stack``."""
        bot = seating.bots[seat]
        try:
            words = [bot.command[-1], bot.class_name, str(seat)]
            started = started_in(bot, seal.bot_seed(seating.seed, seat), words, seating, stack)
        except (OSError, ValueError) as error:
            process.check_means(error)
            crash = Fault("crash", during="construct")
            return cls(seat, fault=crash, stderr=str(error).encode())
        stack.callback(started.end)
        return cls(seat, started)

    def tell(self, message: str) -> None:
        """Send a message. A bot that is gone, or does not listen, is found out when it is due."""
        if self.fault is None and self.process is not None:
            with suppress(BrokenPipeError, BlockingIOError):
                os.write(self.process.messages, message.encode() + b"\n")

    def due(self, steps: Sequence[str], time_limit: float) -> None:
        """From now on it has ``time_limit`` seconds for each of ``steps``."""
        self.steps = list(steps)
        self.said = self.chosen = None
        self.asked = time.monotonic()
        self.deadline = self.asked + time_limit * (LOADING if "load" in steps else 1)

    def hear(self, time_limit: float, ended: bool = False) -> None:
        """Read what it sent, and see how far it has come; at its end, all that is left of it."""
        data = b""
        assert self.process is not None
        while self.steps:
            try:
                data = os.read(self.process.lines, CAP)
            except BlockingIOError:
                break
            self.buffer += data
            while self.steps and b"\n" in self.buffer:
                line, _, self.buffer = self.buffer.partition(b"\n")
                self.come_through(line, time_limit)
            if len(self.buffer) > LONGEST:
                self.fail("oversize")
            if not data or not ended:
                break
        if ended or not data:
            self.fail("crash")

    def come_through(self, line: bytes, time_limit: float) -> None:
        """One step is done."""
        step, _, value = line.partition(b" ")
        if step != self.steps[0].encode():
            self.fail("crash")
            return
        if step == b"select":
            self.said = value
            self.chosen = int(value) if INTEGER.fullmatch(value) else None
        now = time.monotonic()
        self.seconds += now - self.asked
        self.slowest = max(self.slowest, now - self.asked)
        self.asked, self.deadline = now, now + time_limit
        self.steps.pop(0)

    def fail(self, kind: str) -> None:
        """It failed in the step that it is in, if it is in one, and that is its end."""
        if self.steps:
            step = "construct" if self.steps[0] in ("ready", "load") else self.steps[0]
            self.fault = Fault(kind, during=step)
            self.steps = []

    def take_errors(self) -> bool:
        """Read once from standard error, of which the tail is kept. Returns whether to go on."""
        assert self.process is not None
        try:
            data = os.read(self.process.errors, CAP)
        except BlockingIOError:
            return False
        self.stderr = (self.stderr + data)[-STDERR_TAIL:]
        return bool(data)

    def reply(self) -> Reply | None:
        """What it answered, or how it failed; None if it was only told something."""
        if self.fault is not None:
            return self.fault
        return None if self.said is None else Answer({"output": self.said})

    def evidence(self, asked: str) -> Evidence:
        """How it did until now: time over all steps, and the slowest of them, in milliseconds."""
        note: Evidence = {
            "seat": self.seat,
            "ask": asked,
            "ms": round(self.seconds * 1000, 3),
            "slowest_ms": round(self.slowest * 1000, 3),
        }
        if self.process is not None:
            if self.fault is not None and self.fault.kind == "crash":
                # Its pipes close before it has ended.
                select.select([self.process.exited], [], [], MOMENT)
                note["exit"] = self.process.status()
            for _ in range(PIPE_READS):
                if not self.take_errors():
                    break
        if self.stderr:
            note["stderr"] = self.stderr.decode(errors="replace")
        return note


def started_in(
    bot: Bot, bot_seed: str, words: Sequence[str], seating: Seating, stack: ExitStack
) -> Attached:
    """The bot's interpreter with the runner, in the bot's folder, which lasts as long as ``stack``.

    Raises OSError or ValueError when it cannot be started.
    """
    interpreter = bot.command[0]
    if seating.isolation == "sandbox":
        sandbox, inside = sandboxes.take(bot, cold=True)
        stack.callback(sandboxes.give_back, sandbox)
        command = [interpreter, f"{sandbox.folder}/{RUNNER.name}", *words]
        return sandbox.attached(inside, bot_seed, command)
    home = stack.enter_context(scratch.folder()) / bot.name
    bot.install(home)
    return process.attached([interpreter, str(RUNNER), *words], home, environment(bot_seed))


def attend(players: Sequence[Player], steps: Sequence[str], time_limit: float) -> None:
    """Wait until every bot has come through ``steps``, or has failed."""
    poll = select.poll()
    heard: dict[int, Player] = {}
    for player in players:
        if player.fault is None and player.process is not None:
            player.due(steps, time_limit)
            for fd in (player.process.lines, player.process.errors, player.process.exited):
                heard[fd] = player
                poll.register(fd, select.POLLIN)
    while waiting := [player for player in players if player.steps]:
        left = min(player.deadline for player in waiting) - time.monotonic()
        for fd, _ in poll.poll(max(0.0, left * 1000)):
            player = heard[fd]
            assert player.process is not None
            if fd == player.process.errors:
                if not player.take_errors():
                    poll.unregister(fd)
                continue
            if player.steps:
                player.hear(time_limit, ended=fd == player.process.exited)
            if not player.steps:
                poll.unregister(fd)
        now = time.monotonic()
        for player in waiting:
            if player.deadline <= now:
                player.fail("timeout")
