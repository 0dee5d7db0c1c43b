"""Honest logs, and the tools of attackers who change them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

import orjson

from games.contest import Contest, Entry, Stage, chain_seed, stage_seed
from games.table import Match, Result
from schema import merkle, registry, seal
from schema.canonical import line
from schema.events import FORMAT
from tests.corpus.entries import Files
from tests.factories import (
    BOT,
    SEED,
    Events,
    Player,
    at_random,
    loads,
    match_events,
    sealed,
    tournament_events,
)
from tests.golden.make import HERE as GOLDEN

GAMES = ("bank_heist", "coins", "coup", "smallest_unique")
RULES = {game: f"{game}/1" for game in GAMES}
"""The rules version of each game's logs, which never changes."""


@dataclass(frozen=True)
class Honest:
    """A log that verifies."""

    data: bytes

    @property
    def events(self) -> Events:
        """Its events, to be changed at will; no seal."""
        return loads(self.data)[:-1]

    @property
    def seed(self) -> str:
        """The seed that its seal reveals."""
        return str(loads(self.data)[-1]["seed"])

    @property
    def lines(self) -> list[bytes]:
        """Its lines, each with its LF; the last one is the seal."""
        return self.data.splitlines(keepends=True)

    def seq(self, type: str) -> int:
        """Return the place of the first event of this type."""
        return next(n for n, event in enumerate(loads(self.data)) if event["type"] == type)


USED = {
    "bank_heist": (
        "bets_that_are_none",
        "everybody_backs_out",
        "finger_that_hits_nobody",
        "nobody_bets",
        "successful_cross",
        "tournament_with_a_shared_rank",
    ),
    "coins": (
        "garbage_counts_as_nothing",
        "more_is_asked_for_than_there_is",
        "tournament_with_equal_sums",
    ),
    "coup": (
        "ambassador_shown_for_a_block_is_replaced",
        "ambassador_shown_stays_for_its_exchange",
        "false_duke_lets_foreign_aid_through",
        "forfeit_by_tampered_history",
        "tournament_with_a_shared_rank",
    ),
    "smallest_unique": (
        "tournament_run_again_without_two_that_fail",
        "tournament_that_ends_with_too_few_bots",
        "two_share_the_win",
        "void_after_the_last_round",
        "void_by_eleven",
    ),
}
"""The golden logs that attacks begin with: they hold every type of event, and never change."""


@cache
def holding(game: str, type: str = "match_finished", kind: str = "match") -> Honest:
    """The smallest of these logs of a game that has an event of this type."""
    logs = [
        (GOLDEN / f"{game}-1/{name}.jsonl").read_bytes()
        for name in USED[game]
        if name.startswith("tournament") == (kind == "tournament")
    ]
    return Honest(min((log for log in logs if b'"type":"%b"' % type.encode() in log), key=len))


TELLING = {
    "bank_heist": "answered",
    "coins": "answered",
    "coup": "card_lost",
    "smallest_unique": "round",
}
"""By game, an event of which the smallest match that has one is worth changing."""


def plain(game: str) -> Honest:
    """A small match of a game in which nobody failed."""
    return holding(game, TELLING[game])


# --- Changes --------------------------------------------------------------------------------------


def changed(data: bytes, old: bytes, new: bytes) -> bytes:
    """``data`` with ``new`` in the first place of ``old``; the seal stays as it was."""
    assert old in data, old
    return data.replace(old, new, 1)


def resealed(data: bytes) -> bytes:
    """Return ``data`` under a seal that fits its bytes, with the same seed."""
    *above, last = data.splitlines(keepends=True)
    body = b"".join(above)
    end = orjson.loads(last)
    del end["seq"]
    return body + line(len(above), end | {"events": len(above), "sha256": seal.hex_digest(body)})


def rewritten(data: bytes, old: bytes, new: bytes) -> bytes:
    """``data`` with ``new`` in the first place of ``old``, sealed again."""
    return resealed(changed(data, old, new))


def refielded(log: Honest, seq: int, change: Callable[[dict[str, Any]], Any]) -> bytes:
    """``log`` with one event changed, sealed again."""
    events = log.events
    change(events[seq])
    return sealed(events, log.seed)


def restarted(log: Honest, **fields: Any) -> bytes:
    """``log`` with other fields in its start, sealed again."""
    return refielded(log, 0, lambda start: start.update(fields))


def without(event: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """An event that lacks some of its fields."""
    return {key: value for key, value in event.items() if key not in keys}


def imported(events: Events) -> Events:
    """``events`` as if they had been seen elsewhere: no commitment to a seed."""
    start: dict[str, Any] = {}
    for key, value in events[0].items():
        start |= {"source": "imported"} if key == "seed_commitment" else {key: value}
    return [start, *events[1:]]


def unsealed(events: Events) -> bytes:
    """``events`` without a seal, as the log of an open contest has them."""
    return b"".join(line(seq, event) for seq, event in enumerate(events))


def sealed_without_seed(events: Events) -> bytes:
    """``events`` under a seal that reveals none."""
    kind = events[0]["type"].removesuffix("_started")
    body = unsealed(events)
    end = {"type": f"{kind}_sealed", "events": len(events), "sha256": seal.hex_digest(body)}
    return body + line(len(events), end)


# --- Tournaments ----------------------------------------------------------------------------------

TOURNAMENT = "tournament.jsonl"
SETTINGS: dict[str, tuple[int, dict[str, Any]]] = {
    "bank_heist": (2, {"games_min": 1, "games_max": 1, "rabble": 0, "matches": 3}),
    "coins": (2, {"games": 3, "rounds": 1}),
    "coup": (2, {"rounds": 2, "max_calls": 6}),
    "smallest_unique": (
        3,
        {"seats": 2, "rounds": 2, "games_per_entrant": 1, "min_games_per_entrant": 0},
    ),
}
"""Entrants and settings of a tournament of three or four matches."""


def match_path(number: int) -> str:
    """Return the path of a match in its tournament."""
    return f"matches/1-{number:06}.jsonl"


@cache
def _tournament(rules: str, seed: str, **more: int) -> Files:
    entrants, settings = SETTINGS[rules.partition("/")[0]]
    bots = {f"bot{number}": BOT for number in range(entrants)}
    return held(rules, seed, bots, **settings | more)


def held(
    rules: str,
    seed: str,
    bots: Mapping[str, str],
    name: str | None = None,
    pairings: Sequence[tuple[int, int]] | None = None,
    **settings: int,
) -> Files:
    """The files of a tournament of bots, which are hashes by name; ``name`` is its id."""
    entrants, matches = list(bots.items()), dict[str, bytes]()
    name = name or seal.tournament_id(seal.commitment(seed))

    def result(match: Match) -> Result:
        own = seal.match_seed(seed, match.id, match.dice)
        events = match_events(chance(own), own, rules, len(match.seats), **settings)
        events[0] |= {"tournament": name, "match": match.id}
        for player, entrant in zip(events[0]["players"], match.seats, strict=True):
            player["name"], player["bot"] = entrants[entrant]
        matches[f"matches/{match.id}.jsonl"] = data = sealed(events, own)
        return reported(data)

    events = tournament_events(result, list(bots), seed, rules, pairings, **settings)
    events[0]["tournament"] = name
    for entrant in events[0]["entrants"]:
        entrant["bot"] = bots[entrant["name"]]
    return {TOURNAMENT: sealed(events, seed), **matches}


def reported(match: bytes) -> Result:
    """Return the result of a match, from its log."""
    *events, finish, end = loads(match)
    faults = tuple((e["seat"], e["kind"]) for e in events if e["type"] == "fault")
    scores, winners = tuple(finish["scores"]), tuple(finish["winners"])
    return Result(finish["reason"], scores, winners, faults, end["sha256"])


def chance(seed: str) -> Player:
    """Players that are as random as the seed says, two of them."""
    return at_random(random.Random(seed), 2)


def tournament(game: str, seed: str = SEED, **settings: int) -> Files:
    """The files of a whole tournament that verifies, of a game or of one of its rules versions."""
    return dict(_tournament(RULES.get(game, game), seed, **settings))


def kept(files: Files, *dropped: str) -> Files:
    """All files but some."""
    assert set(dropped) <= set(files), dropped
    return {path: content for path, content in files.items() if path not in dropped}


# --- Contests -------------------------------------------------------------------------------------

CONTEST = "contest.jsonl"
SEEDS = 3
"""Number of seeds in the chain of a contest."""


class Cup:
    """A contest of one round per stage, held in memory; its methods are what an organiser does."""

    def __init__(self, game: str = "coup") -> None:
        card, settings = registry.card(game), SETTINGS[game][1] | {"rounds": 1}
        model = card.versions[RULES[game]].settings_model()
        start = {
            "type": "contest_started",
            "format": FORMAT,
            "game": game,
            "rules": RULES[game],
            "contest": "cup",
            "settings": model(**settings).model_dump(),
            "plays": card.plays,
            "stages": SEEDS,
            "seed_commitment": chain_seed(SEED, SEEDS, 0),
        }
        self.events: Events = [start]
        self.state = Contest(start)
        self.others: Files = {}
        """All files but the log."""

    @property
    def files(self) -> Files:
        """Return all files so far."""
        return {CONTEST: unsealed(self.events), **self.others}

    def record(self, event: Mapping[str, Any]) -> None:
        """Write an event that can follow."""
        self.state.apply(event)
        self.events.append(dict(event))

    def enter(self, name: str, content: str = "") -> None:
        """Enter a bot, or revise it if it is in."""
        file, source = f"{name}.sh", f"# {name} {content}\n".encode()
        entry = Entry(name, seal.bot_hash({file: source}))
        self.record(entry.event("revised" if name in self.state.current else "entered"))
        self.others[f"bots/{name}/{entry.digits}/{file}"] = source

    def withdraw(self, name: str) -> None:
        """Withdraw a bot."""
        self.record({"type": "withdrawn", "name": name})

    def begin(self, beacon: str = "") -> Stage:
        """Begin a stage, and return its plan."""
        event = {"type": "stage_started", "stage": self.state.finished + 1}
        self.record(event | ({"beacon": beacon} if beacon else {}))
        assert self.state.stage is not None
        return self.state.stage

    def play(self, stage: Stage, seed: str | None = None) -> dict[str, Any]:
        """Play a stage and return its end; with ``seed``, its tournament has this one."""
        own, start = chain_seed(SEED, SEEDS, stage.number), self.events[0]
        played = held(
            start["rules"],
            seed or stage_seed(own, stage.beacon),
            {entry.name: entry.bot for entry in stage.entries},
            stage.tournament("cup"),
            stage.pairings,
            **start["settings"],
        )
        self.others |= {f"stages/{stage.folder}/{path}": data for path, data in played.items()}
        return {"type": "stage_finished", "stage": stage.number, "seed": own} | root_of(played)

    def run(self, beacon: str = "") -> None:
        """Hold the next stage."""
        self.record(self.play(self.begin(beacon)))


def root_of(stage: Files) -> dict[str, Any]:
    """Return the number of files of a stage and their root, as the end of a stage has them."""
    matches = [stage[path] for path in sorted(stage) if path != TOURNAMENT]
    hashes = [sha256(data).digest() for data in [*matches, stage[TOURNAMENT]]]
    return {"files": len(hashes), "root": merkle.root(hashes).hex()}
