"""Check bots before the first match, so that a broken entry does not play as if nothing were wrong.

First what can be seen without starting anything: that a bot has files, that its program is there,
that its command names nothing that is missing. Then a dry start: each bot is asked the first
question of a made-up match once, at the match's level of isolation, in a scratch folder that is
thrown away. The seed of that match is made of zeros, and nothing of it is recorded.

A bot that cannot run at all is broken. One that runs and fails may just be bad: that is a warning.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from games.table import (
    Ask,
    Fault,
    JointAsk,
    MatchTable,
    Replies,
    Reply,
    Schedule,
    StopRules,
    TournamentTable,
    drive_rules,
)
from referee import match
from referee.bot import Bot
from referee.errors import BotsError, RefereeError
from referee.match import MatchJob
from referee.processes import process
from referee.processes.environment import NO_SEED
from referee.protocols.base import Evidence, Session
from referee.tournament import Tournament
from schema import registry
from schema.canonical import Event
from schema.dice import Dice
from schema.executor import Mapper, serial

PATIENCE = 4.0
"""Seconds that a script has for its answer in a dry start. One that takes longer has started."""

CANNOT_RUN = (126, 127)
"""Exit statuses by which a shell says that a command cannot be run, or is not there."""

UNREADY = re.compile(
    r"""syntax\ ?error | parse\ error | (Indentation|Tab|Import|ModuleNotFound|Load)Error
    | cannot\ find\ (module|package) | can't\ (locate|open) | cannot\ (open|load) | no\ such\ file
    | could\ not\ find\ or\ load | unable\ to\ access\ jarfile
    | compilation\ (failed|errors|aborted) | error:\ unexpected""",
    re.IGNORECASE | re.VERBOSE,
)
"""What interpreters write when they cannot run a program, or cannot find a part of it."""


@dataclass(frozen=True)
class Finding:
    """What is wrong with a bot, in a sentence without its end."""

    bot: str
    told: str
    broken: bool = True
    """Whether it cannot play at all."""

    def __str__(self) -> str:
        return f"{self.bot}: {self.told}."


@dataclass(frozen=True)
class Trial:
    """A dry start of one bot."""

    game: str
    bot: Bot
    seats: int
    """Players of the made-up match."""
    settings: Mapping[str, Any]
    isolation: str
    cold: bool


def check_match(job: MatchJob, allow_broken: bool = False) -> list[str]:
    """Check the bots of a match; return warnings. Raises BotsError that names all broken ones."""
    seats = len(job.bots)
    trials = [
        Trial(job.game, bot, seats, job.settings, job.isolation, job.cold) for bot in job.bots
    ]
    return _reported(_checked(trials, serial), allow_broken)


def check_tournament(
    tournament: Tournament, each: Mapper | None, allow_broken: bool = False
) -> list[str]:
    """Check the bots of a tournament as :func:`check_match` does, with dry starts by ``each``.

    Without ``each`` the bots play elsewhere: no program is looked for here, and none is started.
    """
    seats = _seats(tournament)
    settings = tournament.settings.model_dump()
    trials = [
        Trial(tournament.card.name, bot, seats, settings, tournament.isolation, tournament.cold)
        for bot in tournament.bots
    ]
    return _reported(_checked(trials, each), allow_broken)


def dry_start(trial: Trial) -> list[Finding]:
    """Start a bot once, and ask it the first question of a match.

    Raises RefereeError when the referee lacks the means to start anything.
    """
    try:
        return list(_asked_once(trial))
    except RefereeError as error:
        if isinstance(error.__cause__, OSError) and error.__cause__.errno in process.WANT:
            raise
        return [Finding(trial.bot.name, str(error).rstrip("."))]


def _checked(trials: Sequence[Trial], each: Mapper | None) -> list[Finding]:
    """What is wrong with the bots, in their order; equal bots are started once."""
    seen = [_seen(trial.bot, here=each is not None) for trial in trials]
    alike: dict[object, list[int]] = {}
    for number, (trial, findings) in enumerate(zip(trials, seen, strict=True)):
        if not any(finding.broken for finding in findings):
            alike.setdefault(replace(trial.bot, name=""), []).append(number)
    if each is not None and all(trial.seats for trial in trials):
        started = each(dry_start, [trials[numbers[0]] for numbers in alike.values()])
        for numbers, findings in zip(alike.values(), started, strict=True):
            for number in numbers:
                name = trials[number].bot.name
                seen[number] += [replace(finding, bot=name) for finding in findings]
    return [finding for findings in seen for finding in findings]


class Broken(BotsError):
    """Bots that cannot play."""

    def __str__(self) -> str:
        mend = (
            f"Mend {'them' if self.multiline else 'it'}, or play all the same with --allow-broken."
        )
        return f"{super().__str__()}{chr(10) if self.multiline else ' '}{mend}"


def _reported(findings: Sequence[Finding], allow_broken: bool) -> list[str]:
    broken = {finding.bot for finding in findings if finding.broken}
    if broken and not allow_broken:
        raise Broken(*(str(finding) for finding in findings if finding.bot in broken))
    return list(map(str, findings))


# --- without starting anything -------------------------------------------------------------------


def _seen(bot: Bot, here: bool) -> list[Finding]:
    """What can be seen of a bot; programs only where it plays ``here``."""
    findings = [Finding(bot.name, doubt.rstrip("."), broken=False) for doubt in bot.doubts]
    if not bot.files:
        findings.append(
            Finding(
                bot.name,
                f"expected files, found none: its command is `{' '.join(bot.command)}`, and only "
                "files that a command names, or all of a 'folder', belong to a bot",
            )
        )
    if told := _without_program(bot, here):
        findings.append(Finding(bot.name, told))
    return findings


def _without_program(bot: Bot, here: bool) -> str:
    """Why the program of a bot's command cannot be run."""
    program, files = bot.command[0], dict(bot.files)
    own = files.get(os.path.normpath(program)) if "/" in program else None
    if own is not None:
        if not own.executable:
            return f"its program {program} may not be executed (chmod +x)"
        return _without_interpreter(program, own.content) if here else ""
    if "/" in program and not Path(program).is_absolute():
        return f"there is no program {program} among its files"
    if here and shutil.which(program) is None:
        return f"there is no program {program} on this machine"
    return ""


def _without_interpreter(program: str, content: bytes) -> str:
    """Why the interpreter that a script names in its first line cannot be run."""
    first = content.split(b"\n", 1)[0]
    words = os.fsdecode(first[2:]).split() if first.startswith(b"#!") else []
    if words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if words and shutil.which(words[0]) is None:
        return f"{program} names the interpreter {words[0]}, which is not on this machine"
    return ""


# --- dry starts ----------------------------------------------------------------------------------


def _seats(tournament: Tournament) -> int:
    """The players of a tournament's first match; 0 if there is none."""
    card, seats = tournament.card, 0

    def look(schedule: Schedule) -> Any:
        nonlocal seats
        for first in schedule.matches:
            seats = len(first.seats)
            break
        raise StopRules

    names = [bot.name for bot in tournament.bots]
    table = TournamentTable(names, tournament.settings, Dice(NO_SEED), _ignored)
    with suppress(StopRules):
        drive_rules(card.current.tournament_rules()(table), look)
    return seats


def _ignored(event: Event, clause: str) -> None:
    """Nothing of a made-up match is kept."""


def _asked_once(trial: Trial) -> Iterator[Finding]:
    """What is wrong with a bot that is asked a first question, and answers it for every seat."""
    card, bot = registry.card(trial.game), trial.bot
    held = dict(trial.settings)
    if card.protocol != "class":  # which has ten times as long to load a file (SU-9)
        held["time_limit_s"] = PATIENCE
    asks: list[Any] = []
    findings: list[Finding] = []
    rejected: list[Mapping[str, Any]] = []

    def record(event: Event, clause: str = "") -> None:
        if event["type"] == "fault":
            rejected.append(cast(Mapping[str, Any], event))

    def ask(asked: Any) -> Replies:
        if asks:
            raise StopRules
        asks.extend([asked] if asked else [])
        reply, note, replies = _put(asked, session, trial.seats)
        if isinstance(reply, Fault):
            findings.extend(_judged(bot.name, reply, note))
            raise StopRules
        return replies

    names = [f"{bot.name}-{seat + 1}" for seat in range(trial.seats)]
    table = MatchTable(names, card.settings(trial.settings), Dice(NO_SEED), record)
    seated = match.seated(card, [bot], NO_SEED, held, trial.cold, trial.isolation)
    with seated as session, suppress(StopRules):
        drive_rules(card.current.match_rules()(table), ask)
    yield from findings
    for event in rejected[:1]:
        said = repr(str(event.get("appended", event.get("output", ""))))
        told = f"its answer to a first question is {event['kind']} ({event['clause']}): {said:.60}"
        yield Finding(bot.name, told, broken=False)


def _put(
    asked: Sequence[Ask] | JointAsk, session: Session, seats: int
) -> tuple[Reply | None, Evidence, Replies]:
    """Put a question to the one bot there is: its reply, the note on it, and that for all seats."""
    if isinstance(asked, JointAsk):
        replies, notes = session(asked)
        if isinstance(replies, Mapping):
            reply = replies.get(0)
            return reply, (notes or [{}])[0], dict.fromkeys(range(seats), cast(Reply, reply))
        return None, {}, list(cast(list[int], replies)) * seats
    if not asked:
        return None, {}, []
    answers, notes = session([replace(asked[0], seat=0)])
    [reply] = cast(list[Reply], answers)
    return reply, notes[0], [reply] * len(asked)


def _judged(name: str, fault: Fault, note: Evidence) -> Iterator[Finding]:
    """What a fault in a dry start says of a bot."""
    stderr = str(note.get("stderr", ""))
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    marked = [line for line in lines if UNREADY.search(line)]
    said = f": {(marked or lines)[-1][:200]}" if lines else ""
    status = note.get("exit")
    how = "" if status is None else f", with exit status {status}"
    if fault.kind == "timeout":
        return  # it has started
    if fault.kind != "crash":
        yield Finding(name, f"its first answer is a fault, {fault.kind}", broken=False)
    elif error := note.get("error"):
        yield Finding(name, f"cannot be started: {error}")
    elif marked or status in CANNOT_RUN or fault.during == "construct":
        yield Finding(name, f"ends at once{how}{said}")
    else:
        yield Finding(name, f"fails at a first question{how}{said}", broken=False)
