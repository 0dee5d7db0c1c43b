"""Interrupt tournaments: a disk that fails on demand, and bots that run in this process."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from games.table import Answer, Fault, JointAsk, Replies, Reply
from referee import match, resume, tournament
from referee.batch import scheduler
from referee.protocols.base import Evidence, Protocol, Seating, Session
from referee.roster.resolve import resolve
from referee.tournament import Tournament
from schema import discovery as layout
from schema import registry, writer
from schema.bot_output import ANSWER_CHANNELS
from schema.executor import Progress, serial
from tests.factories import SEED, at_random
from tests.referee.bot_factory import contents

TOURNAMENTS: Mapping[str, tuple[Sequence[str], Mapping[str, Any]]] = {
    "bank_heist": (
        ["snitch", "saver", "gambler"],
        {"games_min": 1, "games_max": 2, "rabble": 5, "matches": 2},
    ),
    "coins": (["thief", "planner", "passive"], {"games": 3, "rounds": 3}),
    "coup": (["bandit", "taxman"], {"rounds": 1, "max_calls": 12}),
    "smallest_unique": (
        ["uniform", "cycler", "saboteur", "bayes", "gap_finder"],
        {"seats": 3, "rounds": 3, "games_per_entrant": 1, "min_games_per_entrant": 0},
    ),
}
"""The tournament of each game: its example bots and its settings."""

GAMES = list(TOURNAMENTS)

UNSTEADY = ("saboteur", "snitch", "thief", "bandit")
"""Bots that fail in some matches."""


class Killed(BaseException):
    """Raised when the simulated process is dead, so that nothing after it runs."""


class Disk:
    """Replaces ``os`` in the log writer, and fails from moment ``at`` on.

    A moment is a write, a sync or a cut. ``trouble`` is the exception raised at that moment and at
    all later ones. With ``torn``, half of the bytes of the failing write are written first.
    """

    def __init__(self, at: int = 10**9, trouble: BaseException | None = None, torn: bool = False):
        self.at, self.trouble, self.torn = at, trouble, torn
        self.moments = 0
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def _moment(self, name: str) -> bool:
        """Return whether the disk fails at this moment."""
        self.calls.append(name)
        self.moments += 1
        return self.trouble is not None and self.moments > self.at

    def write(self, fd: int, data: memoryview) -> int:
        """Write the data, or only a part of it."""
        if not self._moment("write"):
            return os.write(fd, data)
        if self.torn and self.moments == self.at + 1:
            os.write(fd, data[: len(data) // 2])
        assert self.trouble is not None
        raise self.trouble

    def ftruncate(self, fd: int, size: int) -> None:
        """Cut the file."""
        if self._moment("cut"):
            assert self.trouble is not None
            raise self.trouble
        os.ftruncate(fd, size)

    def fsync(self, fd: int) -> None:
        """Count the sync without waiting for the disk."""
        if self._moment("sync"):
            assert self.trouble is not None
            raise self.trouble

    def sync(self, folder: Path) -> None:
        """Count the sync of a folder."""
        self.fsync(-1)


class Dribbling(Disk):
    """A disk that writes at most seven bytes per call."""

    def write(self, fd: int, data: memoryview) -> int:
        """Write at most seven bytes."""
        return os.write(fd, data[:7])


def refusal(number: int) -> OSError:
    """Return the error of the system for this number, for example for a full disk."""
    return OSError(number, os.strerror(number))


@contextmanager
def disk(one: Disk) -> Iterator[Disk]:
    """Write the logs in this block to this disk."""
    with patch.object(writer, "os", one), patch.object(writer, "sync", one.sync):
        yield one


# --- bots in this process ------------------------------------------------------------------------


def players(protocol: str, salt: str = "") -> Protocol:
    """Return a protocol whose bots run in this process, with answers drawn from the seed.

    Another ``salt`` gives other answers.
    """

    @contextmanager
    def open_session(seating: Seating) -> Iterator[Session]:
        rng = random.Random(seating.seed + salt)
        names = [bot.name for bot in seating.bots]
        say = at_random(rng, len(names))
        failed: dict[int, Reply] = {}

        def joint(asked: JointAsk) -> tuple[Replies, list[Evidence]]:
            first = asked.observation.choices is None
            steps = ["construct", "select"] if first else ["update", "select"]
            for seat, name in enumerate(names):
                if name in UNSTEADY and rng.random() < 0.3:
                    steps = steps if asked.legal else steps[:1]
                    failed.setdefault(seat, Fault("crash", during=rng.choice(steps)))
            choices = say(asked)
            if not failed:
                return choices, []
            said = {seat: Answer({"output": b"%d" % n}) for seat, n in enumerate(choices or ())}
            return said | failed, []

        def answer(asked: Any) -> tuple[Replies, list[Evidence]]:
            if isinstance(asked, JointAsk):
                return joint(asked)
            notes: list[Evidence] = [{"seat": ask.seat, "ask": ask.name} for ask in asked]
            return [one(ask) for ask in asked], notes

        def one(ask: Any) -> Reply:
            reply: Reply = say(ask)
            if names[ask.seat] in UNSTEADY and rng.random() < 0.2:
                odd = dict.fromkeys(ANSWER_CHANNELS[protocol], b"\xff?")
                replies: list[Reply] = [Fault("timeout"), Answer(odd)]
                return rng.choice(replies)
            return reply

        yield answer

    return open_session


@contextmanager
def playing(salt: str = "") -> Iterator[None]:
    """Play the matches in this block one by one, with the bots of :func:`players`."""
    protocols = {name: players(name, salt) for name in match.PROTOCOLS}
    with patch.object(match, "PROTOCOLS", protocols), patch.object(scheduler, "SIZES", {}):
        yield


# --- tournaments ---------------------------------------------------------------------------------


def words(game: str) -> list[str]:
    """Return the words that name the bots of a game on the command line."""
    return [f"examples/{name}" for name in TOURNAMENTS[game][0]]


def planned(game: str, folder: Path, durable: bool = False) -> Tournament:
    """Return the tournament of a game, ready to be played into ``folder``."""
    card, named = registry.card(game), words(game)
    settings = card.settings(TOURNAMENTS[game][1])
    bots = resolve(named, card)
    return tournament.plan(
        card, bots, settings, SEED, None, folder, "process", False, durable, named
    )


def unheard(done: int, total: int) -> None:
    """Ignore the progress."""


def play(one: Tournament, progress: Progress = unheard) -> None:
    """Play a tournament, or its remaining matches."""
    tournament.play(one, serial, progress)


def go_on(folder: Path) -> list[str]:
    """Resume a tournament as ``koth resume`` does; return its messages about partial lines."""
    try:
        rest = resume.plan(folder)
    except resume.Complete:
        return []
    told = list(resume.partial_lines(rest, serial))
    play(rest)
    return told


@cache
def whole(game: str) -> Mapping[str, bytes]:
    """Return the logs of a tournament that was not interrupted."""
    with TemporaryDirectory() as folder, playing(), disk(Disk()):
        play(planned(game, Path(folder) / "cup"))
        return contents(Path(folder) / "cup")


def lines(folder: Path) -> dict[str, bytes]:
    """Return the whole lines of each log, by path."""
    logs = [folder / layout.TOURNAMENT, *(folder / layout.MATCHES).glob("*")]
    found = {str(p.relative_to(folder)): p.read_bytes() for p in logs if p.exists()}
    return {path: data[: data.rfind(b"\n") + 1] for path, data in found.items()}


def stand(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> bool:
    """Return whether all lines of ``before`` are unchanged, except in dropped matches (SU-9)."""
    return all(after[path].startswith(data) for path, data in before.items() if path in after)


def interrupted(
    trouble: type[BaseException] | tuple[type[BaseException], ...],
    run: Callable[..., object],
    given: object,
) -> bool:
    """Return whether the disk failed before the tournament ended."""
    try:
        run(given)
    except trouble:
        return True
    return False
