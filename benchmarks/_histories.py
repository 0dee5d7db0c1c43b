"""Logs to measure with: matches and tournaments with random answers.

They have the bytes that a referee would write for these answers, and verify; no bot plays.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, get_args

from games.bank_heist.events import Action
from games.driving import drive_rules
from games.table import (
    Answer,
    ArgvCall,
    Ask,
    JointAsk,
    Match,
    MatchTable,
    Result,
    Schedule,
    StreamCall,
    TournamentTable,
)
from schema import discovery as layout
from schema import registry, seal
from schema.canonical import Event, line
from schema.dice import Dice
from schema.events import FORMAT

GAME = "smallest_unique"
SEATS = 10
BOT = seal.bot_hash({"random.py": b""})
WEIGHTS = (66, 51, 39, 29, 22, 16, 12, 9, 7, 5)
"""Frequency of each number, of 256. Low numbers win, so that bots prefer them. The entropy of a
round of ten such choices is 3.64 bytes."""
NUMBERS = b"".join(bytes([number]) * weight for number, weight in enumerate(WEIGHTS, 1))
BLOCK = 1_000
"""Rounds drawn at a time, and lines written at a time."""


def smallest_unique(folder: Path, matches: int, rounds: int = 1_000, seed: int = 0) -> Path:
    """Write a tournament of ``matches`` games of ``rounds`` rounds and return its folder.

    ``folder`` must not exist yet. Ten entrants play every game and choose at random; equal seeds
    give equal bytes. ``matches`` must be a multiple of ten, because the rules count games per
    entrant; otherwise ValueError is raised. The processes use all processors.
    """
    per_entrant, rest = divmod(matches, SEATS)
    if rest or not matches:
        raise ValueError(f"matches: expected a multiple of {SEATS}, found {matches}")
    settings = {"rounds": rounds, "games_per_entrant": per_entrant}
    return tournament(folder, GAME, SEATS, seed, **settings)


def tournament(folder: Path, game: str, entrants: int, seed: int = 0, **settings: int) -> Path:
    """Write a tournament of any game between ``entrants`` bots that choose at random.

    ``folder`` must not exist yet. Equal seeds give equal bytes. The processes use all processors.
    """
    card = registry.card(game)
    tournament_seed = f"{seed:064x}"
    names = [f"random{number}" for number in range(entrants)]
    log = folder / layout.TOURNAMENT
    (folder / layout.MATCHES).mkdir(parents=True)
    play = partial(_play, folder / layout.MATCHES, game, settings, tournament_seed)
    players = [{"entrant": n, "name": name, "bot": BOT} for n, name in enumerate(names)]
    with (
        ProcessPoolExecutor(mp_context=get_context("spawn")) as pool,
        closing(_Writer(log)) as writer,
    ):

        def results(schedule: Schedule) -> list[tuple[Match, Result]]:
            drawn = list(schedule.matches)
            return list(zip(drawn, pool.map(play, drawn, chunksize=10), strict=True))

        writer.write(_started("tournament", game, tournament_seed, settings, entrants=players))
        dice = Dice(tournament_seed)
        table = TournamentTable(names, card.settings(settings), dice, writer.write)
        drive_rules(card.current.tournament_rules()(table), results)
        writer.seal("tournament", tournament_seed)
    return folder


def one_match(path: Path, rounds: int, seed: int = 0) -> Path:
    """Write the log of one game of ``rounds`` rounds, without a tournament; return its path.

    It has ``rounds`` + 3 events. ``path`` must not exist yet.
    """
    return random_match(path, GAME, SEATS, seed, rounds=rounds)


def random_match(path: Path, game: str, players: int, seed: int = 0, **settings: int) -> Path:
    """Write the log of one match of any game, without a tournament; return its path.

    ``path`` must not exist yet.
    """
    _write(path, game, Match("1-000000", tuple(range(players))), settings, f"{seed:064x}")
    return path


def _play(
    matches: Path, game: str, settings: dict[str, Any], tournament_seed: str, match: Match
) -> Result:
    log = matches / f"{match.id}.jsonl"
    seed = seal.match_seed(tournament_seed, match.id, match.dice)
    return _write(log, game, match, settings, seed)


def _write(path: Path, game: str, match: Match, changed: Mapping[str, object], seed: str) -> Result:
    card = registry.card(game)
    names = [f"random{entrant}" for entrant in match.seats]
    players = [{"seat": n, "name": name, "bot": BOT} for n, name in enumerate(names)]
    rng = random.Random(seed)
    choices = _choices(rng)

    def answer(question: list[Ask] | JointAsk) -> Any:
        if isinstance(question, JointAsk):
            return next(choices) if question.legal else None
        return [answer_at_random(ask, rng) for ask in question]

    with closing(_Writer(path)) as writer:
        writer.write(_started("match", game, seed, changed, match=match.id, players=players))
        table = MatchTable(names, card.settings(changed), Dice(seed), writer.write)
        drive_rules(card.current.match_rules()(table), answer)
        finish: Any = writer.last
        digest = writer.seal("match", seed)
    return Result(finish["reason"], tuple(finish["scores"]), tuple(finish["winners"]), (), digest)


def _choices(rng: random.Random) -> Iterator[list[int]]:
    """Yield the choices of ten seats, round by round; they are drawn in blocks, for speed."""
    while True:
        drawn = rng.randbytes(BLOCK * SEATS).translate(NUMBERS)
        for at in range(0, len(drawn), SEATS):
            yield list(drawn[at : at + SEATS])


def answer_at_random(ask: Ask, rng: random.Random) -> Answer:
    """Return a random legal answer to a question of Coup, Coins or Bank Heist."""
    match ask.name:
        case "bet":
            output = str(rng.randrange(100))
        case "action":
            output = rng.choice(get_args(Action))
        case "turn" if isinstance(ask.observation, ArgvCall):
            output = "".join(rng.choices("N123ABCXYZFURT", k=3))
        case "exchange" if not isinstance(ask.observation, StreamCall):
            cards = ask.args[2]
            output = "".join(rng.sample(cards, len(cards) - 2))
        case _:
            output = ""
    if isinstance(ask.observation, ArgvCall):
        return Answer({"output": output.encode()})
    return Answer({"output": output.encode(), "appended": rng.choice(ask.legal).encode()})


class _Writer:
    """Writes the same bytes as :class:`schema.writer.LogWriter`, many lines at a time."""

    def __init__(self, path: Path) -> None:
        self.last: Event = {}
        self._events = 0
        self._lines: list[bytes] = []
        self._hash = sha256()
        self._file = path.open("xb")

    def write(self, event: Event, clause: str = "") -> None:
        self._lines.append(line(self._events, event))
        self._events += 1
        self.last = event
        if len(self._lines) == BLOCK:
            self._flush()

    def seal(self, kind: str, seed: str) -> str:
        self._flush()
        digest = self._hash.hexdigest()
        seal = {"type": f"{kind}_sealed", "seed": seed, "events": self._events, "sha256": digest}
        self.write(seal)
        self._flush()
        return digest

    def close(self) -> None:
        self._file.close()

    def _flush(self) -> None:
        block = b"".join(self._lines)
        self._hash.update(block)
        self._file.write(block)
        self._lines.clear()


def _started(kind: str, game: str, seed: str, changed: Mapping[str, object], **own: Any) -> Event:
    card = registry.card(game)
    return {
        "type": f"{kind}_started",
        "format": FORMAT,
        "game": game,
        "rules": card.rules,
        "tournament": "random",
        **own,
        "settings": card.settings(changed).model_dump(),
        "seed_commitment": seal.commitment(seed),
    }
