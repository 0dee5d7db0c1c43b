"""Check bots before the first match, so that a broken bot is reported before it plays.

The first checks start nothing: a bot has files, its program exists, its command names no missing
file. Then a dry start asks each bot the first question of a test match, at the isolation of the
real one. The test match has a seed of zeros, and none of it is recorded.

A bot that cannot run is broken. A bot that runs and fails may just play badly: that is a warning.
"""

from __future__ import annotations

import codecs
import errno
import os
import posixpath
import shutil
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel

from games.driving import StopRules, drive_rules
from games.narration import short
from games.table import (
    Ask,
    Fault,
    JointAsk,
    Match,
    MatchTable,
    Replies,
    Reply,
    Schedule,
    TournamentTable,
)
from referee import error_messages, match
from referee.bot import Bot, first_line, interpreter_line
from referee.environment import NO_SEED
from referee.errors import NO_RESOURCES, BotsError, RefereeError, shortened
from referee.event_validation import EventValidator
from referee.match import MatchJob
from referee.protocols import system
from referee.protocols.base import Evidence, Session
from referee.roster.functions import FunctionBot
from referee.tournament import Tournament
from schema import registry
from schema.canonical import Event
from schema.card import Card
from schema.contract import LOADING
from schema.dice import Dice
from schema.executor import Mapper, serial

DRY_START_LIMIT = 4.0
"""Seconds that a script has for its answer in a dry start; a slower one counts as started."""

OPENING = 1_000
"""Matches of a schedule that are examined before the first is played."""

CANNOT_START = (126, 127)
"""Exit statuses of a shell for a command that cannot run or does not exist."""


@dataclass(frozen=True)
class Finding:
    """A problem of a bot."""

    bot: str
    problem: str
    """A sentence without its full stop."""
    broken: bool = True
    """Whether the bot cannot play."""

    def __str__(self) -> str:
        return shortened(f"{self.bot}: {self.problem}.")


@dataclass(frozen=True)
class Trial:
    """A dry start of one bot."""

    game: str
    rules: str
    """The rules version."""
    bot: Bot
    seats: int
    """Number of players in the test match."""
    settings: Mapping[str, Any]
    isolation: str
    cold: bool


def check_match(job: MatchJob, allow_broken: bool = False) -> list[str]:
    """Check the bots of a match, but no functions, and return warnings.

    Raises BotsError for broken bots.
    """
    setting = len(job.bots), job.settings, job.isolation, job.cold
    programs = [bot for bot in job.bots if not isinstance(bot, FunctionBot)]
    trials = [Trial(job.game, job.rules, bot, *setting) for bot in programs]
    return _report(_check(trials, serial), allow_broken)


def check_tournament(
    tournament: Tournament, mapper: Mapper | None, allow_broken: bool = False
) -> list[str]:
    """Check the bots of a tournament as :func:`check_match` does, with dry starts by ``mapper``.

    Without ``mapper`` the bots play on other machines: no program is searched or started here.
    Also warns of shared dice outside a sandbox.
    """
    settings, isolation = tournament.settings.model_dump(), tournament.isolation
    opening = _opening(tournament)
    seats = len(opening[0].seats) if opening else 0
    card, setting = tournament.card, (seats, settings, isolation, tournament.cold)
    trials = [Trial(card.name, card.rules, bot, *setting) for bot in tournament.bots]
    warnings = _report(_check(trials, mapper), allow_broken)
    if isolation != "sandbox" and any(match.dice for match in opening):
        problem = f"some matches share their dice, and at the isolation '{isolation}' a bot can"
        warnings.append(f"{problem} carry notes from one to the other. Use --isolation sandbox.")
    return warnings


def check_bots(
    card: Card, bots: Sequence[Bot], settings: BaseModel, isolation: str, allow_broken: bool
) -> list[str]:
    """Check bots as :func:`check_match` does, in a test match of as few players as the game has."""
    seats, values = card.bounds("seats", settings)[0], settings.model_dump()
    setting = seats, values, isolation, False
    trials = [Trial(card.name, card.rules, bot, *setting) for bot in bots]
    return _report(_check(trials, serial), allow_broken)


def dry_start(trial: Trial) -> list[Finding]:
    """Start a bot once, and ask it the first question of a match.

    Raises RefereeError if the system lacks resources to start it.
    """
    try:
        return list(_ask_once(trial))
    except RefereeError as error:
        if isinstance(error.__cause__, OSError) and error.__cause__.errno in NO_RESOURCES:
            raise
        return [Finding(trial.bot.name, str(error).rstrip("."))]


def _check(trials: Sequence[Trial], mapper: Mapper | None) -> list[Finding]:
    """Return the problems of bots, in their order. Equal bots are started once."""
    problems = [_inspect(trial.bot, local=mapper is not None) for trial in trials]
    equal: dict[object, list[int]] = {}
    for number, (trial, findings) in enumerate(zip(trials, problems, strict=True)):
        if not any(finding.broken for finding in findings):
            equal.setdefault(replace(trial.bot, name=""), []).append(number)
    if mapper is not None and all(trial.seats for trial in trials):
        different = [trials[numbers[0]] for numbers in equal.values()]
        started = mapper(dry_start, _expecting(different) if mapper is serial else different)
        for numbers, findings in zip(equal.values(), started, strict=True):
            for number in numbers:
                name = trials[number].bot.name
                problems[number] += [replace(finding, bot=name) for finding in findings]
    return [finding for findings in problems for finding in findings]


def _expecting(trials: Sequence[Trial]) -> Iterator[Trial]:
    """Yield the trials in order; begin to start the bots of the next few before each."""
    for number, trial in enumerate(trials):
        at_once = system.ahead_at_once(trial.cold)
        next_ones = [trial.bot for trial in trials[number : number + at_once]]
        card = registry.card_under(trial.game, trial.rules)
        match.expect(card, next_ones, trial.cold, trial.isolation)
        yield trial


class BrokenBots(BotsError):
    """Raised when bots cannot play."""

    option = "--allow-broken"
    """The option that lets them play, as the caller writes it."""

    def __str__(self) -> str:
        mend = f"Mend {'them' if self.multiline else 'it'}"
        remedy = f"{mend}, or play all the same with {self.option}."
        return f"{super().__str__()}{chr(10) if self.multiline else ' '}{remedy}"


def _report(findings: Sequence[Finding], allow_broken: bool) -> list[str]:
    broken = {finding.bot for finding in findings if finding.broken}
    if broken and not allow_broken:
        raise BrokenBots(*(str(finding) for finding in findings if finding.bot in broken))
    return list(map(str, findings))


# --- checks that start nothing -------------------------------------------------------------------


def _inspect(bot: Bot, local: bool) -> list[Finding]:
    """Return the problems of a bot's files, and of its programs if it plays on this machine."""
    findings = [Finding(bot.name, doubt.rstrip("."), broken=False) for doubt in bot.doubts]
    if not bot.files:
        findings.append(
            Finding(
                bot.name,
                f"expected files, found none: its command is `{' '.join(bot.command)}`, and only "
                "files that a command names, or all of a 'folder', belong to a bot",
            )
        )
    if problem := _program_problem(bot, local):
        findings.append(Finding(bot.name, problem))
    return findings


def _program_problem(bot: Bot, local: bool) -> str:
    """Return why the program of a bot's command cannot run, or ``""``."""
    program, own = bot.command[0], bot.own_program
    if own is not None:
        if not own.executable:
            return f"its program {program} may not be executed (chmod +x)"
        return _interpreter_problem(bot, own.content, local)
    if "/" in program and not Path(program).is_absolute():
        return f"there is no program {program} among its files"
    if local and shutil.which(program) is None:
        return f"there is no program {program} on this machine"
    return ""


def _interpreter_problem(bot: Bot, content: bytes, local: bool) -> str:
    """Return why the interpreter in the first line of a script cannot run, or ``""``."""
    program, line = bot.command[0], first_line(content)
    if content.startswith(codecs.BOM_UTF8 + b"#!"):
        return f"{program} begins with a byte order mark (BOM), which hides #!: save it without BOM"
    words = interpreter_line(content)
    if not words:
        return ""
    interpreter, given = words[0], line.split()
    named = f"{program} names the interpreter {interpreter}"
    is_last = given[-1] == interpreter and len(given) < 3  # `env -S` drops a CR itself
    if line.endswith("\r") and is_last:
        return f"{named} in a line that ends with CR LF: end its lines with LF only"
    in_path = "/" not in interpreter and given[0] != interpreter
    if in_path or interpreter.startswith("/"):
        missing = local and shutil.which(interpreter) is None
        return f"{named}, which is not on this machine" if missing else ""
    if posixpath.normpath(interpreter) in dict(bot.files):
        return ""
    own = Path(interpreter).name
    return f"{named}, which is not among its files; '#!/usr/bin/env {own}' takes it from PATH"


# --- dry starts ----------------------------------------------------------------------------------


def _opening(tournament: Tournament) -> list[Match]:
    """Return the first matches of a tournament's schedule, at most ``OPENING``."""
    card = tournament.card
    opening: list[Match] = []

    def keep(schedule: Schedule) -> Any:
        valid = EventValidator(card).matches(schedule, len(names), table.plays)
        opening.extend(islice(schedule.matches if card.built_in else valid, OPENING))
        raise StopRules

    names = [bot.name for bot in tournament.bots]
    table = TournamentTable(
        names, tournament.settings, Dice(NO_SEED), lambda event, clause: None, tournament.pairings
    )
    with suppress(StopRules):
        drive_rules(card.current.tournament_rules()(table), keep)
    return opening


def _ask_once(trial: Trial) -> Iterator[Finding]:
    """Ask a bot a first question, use its reply for every seat, and yield its problems."""
    card, bot = registry.card_under(trial.game, trial.rules), trial.bot
    settings = dict(trial.settings)
    if card.protocol != "class":  # a class has ten times the limit to load its file (SU-9)
        loading = LOADING if card.protocol == "stream" else 1
        settings["time_limit_s"] = DRY_START_LIMIT / loading
    questions: list[Any] = []
    findings: list[Finding] = []
    rejected: list[Mapping[str, Any]] = []

    def record(event: Event, clause: str) -> None:
        if event["type"] == "fault":
            rejected.append(cast(Mapping[str, Any], event))

    def ask(question: Any) -> Replies:
        if questions:
            raise StopRules
        questions.extend([question] if question else [])
        if not card.built_in:
            EventValidator(card).question(question)
        reply, note, replies = _put(question, session, trial.seats)
        if isinstance(reply, Fault):
            findings.extend(_judge(bot, reply, note, card.protocol))
            raise StopRules
        return replies

    names = [f"{bot.name}-{seat + 1}" for seat in range(trial.seats)]
    table = MatchTable(names, card.settings(trial.settings), Dice(NO_SEED), record)
    seated = match.open_session(card, [bot], NO_SEED, settings, trial.cold, trial.isolation)
    with seated as session, suppress(StopRules):
        drive_rules(card.current.match_rules()(table), ask)
    yield from findings
    for event in rejected[:1]:
        kind = f"{event['kind']} ({event['clause']})"
        problem = f"its answer to a first question is {kind}: {_written(event)}"
        yield Finding(bot.name, problem, broken=False)


def _written(event: Mapping[str, Any]) -> str:
    """Return the answer in a fault; if it is not UTF-8, in Base64 after the name of the field."""
    for channel in ("appended", "output"):
        if text := event.get(channel):
            nothing = "nothing appended, and printed " if event.get("appended") == "" else ""
            quoted = repr(text)
            return f"{nothing}{quoted[0]}{short(quoted[1:-1])}{quoted[-1]}"
        if text := event.get(name := f"{channel}_base64"):
            return f'{name} "{short(text)}"'
    return repr("")


def _put(
    question: Sequence[Ask] | JointAsk, session: Session, seats: int
) -> tuple[Reply | None, Evidence, Replies]:
    """Put a question to the bot: its reply, the evidence, and the same reply for all seats."""
    if isinstance(question, JointAsk):
        replies, notes = session(question)
        if isinstance(replies, Mapping):
            reply = replies.get(0)
            return reply, (notes or [{}])[0], dict.fromkeys(range(seats), cast(Reply, reply))
        return None, {}, list(cast(list[int], replies)) * seats
    if not question:
        return None, {}, []
    answers, notes = session([question[0]._replace(seat=0)])
    [reply] = cast(list[Reply], answers)
    return reply, notes[0], [reply] * len(question)


def _judge(bot: Bot, fault: Fault, note: Evidence, protocol: str) -> Iterator[Finding]:
    """Yield the problem that a fault in a dry start shows."""
    name, status, error = bot.name, note.get("exit"), note.get("error")
    stderr = str(note.get("stderr", ""))
    message = error_messages.message(bot, stderr)
    reason = f"{_ending(status)}{message and f': {message}'}{_line_ends(bot)}"
    cannot_run = error_messages.cannot_load(stderr) or status in CANNOT_START
    if fault.kind == "timeout":  # the bot has started
        if protocol == "stream":
            problem = f"it writes no line within {DRY_START_LIMIT:g} s of a first question"
            yield Finding(name, f"{problem}; if it is not that slow, it has to flush", broken=False)
    elif fault.kind != "crash":
        yield Finding(name, f"its first answer is a fault, {fault.kind}", broken=False)
    elif error:
        yield Finding(name, f"cannot be started: {error}{_advice(bot, str(error))}")
    elif cannot_run or fault.during == "construct":
        yield Finding(name, f"ends at once{reason}")
    else:
        yield Finding(name, f"fails at a first question{reason}", broken=False)


def _ending(status: object) -> str:
    """Return the exit status of a bot's process, with the name of the signal that killed it."""
    if not isinstance(status, int):
        return ""
    killed = {-number: f" ({number.name})" for number in signal.Signals}.get(status, "")
    return f", with exit status {status}{killed}"


def _line_ends(bot: Bot) -> str:
    """Return that a shell script has line ends of Windows, which no shell takes for line ends."""
    names = [name for name, file in bot.files if name.endswith(".sh") and b"\r\n" in file.content]
    return f" ({names[0]} has lines that end with CR LF)" if names else ""


def _advice(bot: Bot, error: str) -> str:
    """Return what a system's error means for a program that is one of the bot's own files."""
    if bot.own_program is None:
        return ""
    if os.strerror(errno.ENOEXEC) in error:
        return "; a script needs a first line such as #!/usr/bin/env node"
    if os.strerror(errno.ENOENT) in error:
        words = interpreter_line(bot.own_program.content)
        reader = f"its interpreter {words[0]}" if words else "the loader that it was linked for"
        return f"; the file is there, but {reader} is not at this isolation"
    return ""
