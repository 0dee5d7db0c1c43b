"""Scripted games and tournaments of Smallest Unique Number, and their expected events.

The expected events are computed a second time, independently of the rules.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from games.smallest_unique import rules, tournament
from games.table import Fault, JointAsk, Match, MatchTable, Replies, Reply, Result, TournamentTable
from schema import registry, seal
from schema.dice import Dice
from schema.events import FORMAT
from tests.factories import (
    BOT,
    SEED,
    Events,
    Player,
    as_referee,
    drive_rules,
    match_events,
    printed,
)

CARD = registry.card("smallest_unique")
STEPS = ("construct", "update", "select")
KINDS = ("crash", "timeout", "oversize")
"""Ways in which a bot can be stopped (SU-9); besides, its choice can be ``illegal``."""

LEGAL = tuple(map(str, range(1, 11)))
NO_CHOICE = ("0", "11", "-1", "bool True", "float 1.0", "NoneType None", "", " 5", "5\n", "५")

Ends = Callable[[Match], Result]


# --- Games ---------------------------------------------------------------------------------------


def in_turn(*replies: Replies) -> Player:
    """All seats' replies, one after the other; then None, which is right for the last update."""
    queue = iter(replies)
    return lambda ask: next(queue, None)


class Game:
    """A game from end to end: all its events but the start, their clauses, and what was asked.

    Unless it is said, it lasts as many rounds as there are lists of choices.
    """

    def __init__(self, *replies: Replies, seats: int = 3, rounds: int = 0) -> None:
        self.events: Events = []
        self.clauses: list[str] = []
        rounds = rounds or sum(isinstance(reply, list) for reply in replies)
        settings = CARD.settings({"seats": seats, "rounds": rounds})
        names = [f"player{seat}" for seat in range(seats)]
        table: MatchTable[Any] = MatchTable(names, settings, Dice(SEED), self._record)
        self.asks: list[JointAsk] = []
        reply = as_referee(in_turn(*replies), seats)

        def answer(ask: JointAsk) -> Any:
            self.asks.append(ask.copy())
            return reply(ask)

        drive_rules(rules.play(table), answer)
        assert table.state
        self.state = table.state.snapshot()

    def _record(self, event: Any, clause: str) -> None:
        self.events.append(dict(event))
        self.clauses.append(clause)


def stopped(step: str, kind: str = "crash", output: bytes | None = None) -> Fault:
    """A bot that was stopped in a step, before the rules could judge."""
    return Fault(kind, {} if output is None else {"output": output}, during=step)


def smallest_unique(choices: Sequence[int]) -> int | None:
    """The seat that scores, by counting."""
    unique = [number for number, times in Counter(choices).items() if times == 1]
    return choices.index(min(unique)) if unique else None


def round_of(number: int, choices: Sequence[int]) -> dict[str, Any]:
    """The event of a round."""
    event = {"type": "round", "round": number, "choices": list(choices)}
    seat = smallest_unique(choices)
    return event if seat is None else event | {"winner": seat}


def finished(reason: str, scores: Sequence[int], winners: Sequence[int]) -> dict[str, Any]:
    """The event of a result."""
    end = {"type": "match_finished", "reason": reason}
    return end | {"scores": list(scores), "winners": list(winners)}


def answered(seat: int, output: str) -> dict[str, Any]:
    """The event of a choice in a step in which another bot failed to choose."""
    return {"type": "answered", "seat": seat, "ask": "select", "output": output}


def fault(seat: int, ask: str, kind: str = "crash", **raw: object) -> dict[str, Any]:
    """The event of a bot that failed in the step ``ask``."""
    event = {"type": "fault", "seat": seat, "kind": kind, "clause": "SU-9"}
    return event | {"penalty": "disqualified", "ask": ask} | raw


def fault_or_answer(seat: int, step: str, reply: Reply) -> dict[str, Any]:
    """The event of one seat's reply in the step that failed; what was said is UTF-8."""
    raw = {channel: written.decode() for channel, written in reply.raw.items()}
    if isinstance(reply, Fault):
        return fault(seat, step, reply.kind, **raw)
    if raw["output"] in LEGAL:
        return answered(seat, raw["output"])
    return fault(seat, "select", "illegal", **raw)


def void(step: str, replies: Mapping[int, Reply], points: Sequence[int]) -> Events:
    """The end of a game that is void for failures in ``step``; ``replies`` are those of that step.

    Bots that answered and bots that failed in another step are left out, unless the step is the
    choice.
    """
    events = [fault_or_answer(seat, step, replies[seat]) for seat in sorted(replies)]
    return [*events, finished("void", points, [])]


class Model:
    """A game, played a second time from the text of the rulebook.

    It replies for all seats at random, checks their arguments, and keeps the expected events.
    """

    def __init__(self, rng: random.Random, seats: int, rounds: int) -> None:
        self.rng, self.seats, self.rounds = rng, seats, rounds
        self.highest = rng.randint(1, 10)
        self.reliability = rng.choice([1.0, 0.99, 0.9])
        self.points = [0] * seats
        self.told: list[int] | None = None
        self.number = 0
        self.failed: str | None = None
        self.events: Events = []

    def __call__(self, ask: JointAsk) -> Replies:
        """The reply of all seats to what must be the next question."""
        assert self.failed is None, "nobody is asked after a failure"
        assert self.number <= self.rounds, "the last round is followed by one update"
        last = self.number == self.rounds
        assert ask.observation.choices == self.told
        assert (ask.name, ask.legal) == (("update", ()) if last else ("select", LEGAL))
        steps = [STEPS[0] if self.told is None else STEPS[1]] + [STEPS[2]] * (not last)
        self.number += 1
        replies = {seat: self.conduct(steps) for seat in range(self.seats)}
        failures = {where for where, _ in replies.values() if where}
        if failures:
            self.failed = min(failures, key=STEPS.index)
            self.fail(self.failed, replies)
            return {seat: reply for seat, (_, reply) in replies.items() if reply}
        if last:
            most = max(self.points)
            winners = [seat for seat in range(self.seats) if self.points[seat] == most]
            self.events.append(finished("played", self.points, winners))
            return None
        self.told = [self.rng.randint(1, self.highest) for _ in range(self.seats)]
        self.events.append(round_of(self.number, self.told))
        if "winner" in self.events[-1]:
            self.points[self.events[-1]["winner"]] += 1
        return self.told

    def conduct(self, steps: list[str]) -> tuple[str | None, Reply | None]:
        """Return the step in which one bot fails, if it does, and its reply."""
        for step in steps:
            if self.rng.random() > self.reliability:
                if step == "select" and self.rng.random() < 0.5:
                    return step, printed(self.rng.choice(NO_CHOICE))
                return step, stopped(step, self.rng.choice(KINDS))
        choice = printed(str(self.rng.randint(1, 10)))
        return None, choice if "select" in steps else None

    def fail(self, step: str, replies: dict[int, tuple[str | None, Reply | None]]) -> None:
        """SU-9: those that failed in the earliest step; the others if they chose."""
        recorded = {
            seat: reply
            for seat, (where, reply) in replies.items()
            if reply and (where == step or step == "select")
        }
        self.events += void(step, recorded, self.points)


def random_game(number: int) -> tuple[Model, Events]:
    """A short random game: what is due, and the events that the rules emitted."""
    rng = random.Random(number)
    seats, rounds = rng.randint(2, 12), rng.randint(1, 6)
    model = Model(rng, seats, rounds)
    return model, match_events(
        model, game="smallest_unique", players=seats, seats=seats, rounds=rounds
    )


# --- Tournaments ---------------------------------------------------------------------------------


def seated(match: str, entrants: Sequence[int], seats: int, seed: str = SEED) -> tuple[int, ...]:
    """Return the entrants in a match, by hand: the first of those left, by their hashes."""

    def key(entrant: int) -> str:
        return sha256(f"{seed}:match/{match}/seats:{entrant}".encode()).hexdigest()

    return tuple(sorted(entrants, key=key)[:seats])


def result(
    seats: int, winners: Sequence[int] = (0,), faults: Sequence[tuple[int, str]] = ()
) -> Result:
    """A game that ended so; where a bot failed, it is void."""
    scores = [int(seat in winners and not faults) for seat in range(seats)]
    won = () if faults else tuple(winners)
    digest = seal.hex_digest(repr((scores, faults)).encode())
    return Result("void" if faults else "played", tuple(scores), won, tuple(faults), digest)


class Held:
    """A tournament in which every match ends as ``ends`` says, and what it asked and emitted.

    ``planned`` is what was planned as each match was asked for; ``labels`` are the dice cast.
    """

    def __init__(self, entrants: int, ends: Ends, seed: str = SEED, **settings: int) -> None:
        self.events: Events = []
        self.clauses: list[str] = []
        self.planned: list[int] = []
        self.labels: list[str] = []
        self.settings: Any = CARD.settings(settings)
        self.ends, self.seed = ends, seed
        names = [f"bot{number}" for number in range(entrants)]
        dice = Dice(seed, lambda draw: self.labels.append(draw.label))
        self.table: TournamentTable[Any] = TournamentTable(names, self.settings, dice, self._record)

        def play(match: Match) -> Result:
            self.planned.append(self.table.planned)
            assert len(self.planned) < 20_000, "no end"
            return ends(match)

        self.schedule: list[Match] = drive_rules(tournament.play(self.table), play)

    def _record(self, event: Any, clause: str) -> None:
        self.events.append(dict(event))
        self.clauses.append(clause)

    @property
    def standings(self) -> list[dict[str, int]]:
        """The final table."""
        assert self.events[-1]["type"] == "tournament_finished"
        return list(self.events[-1]["standings"])

    @property
    def log(self) -> Events:
        """The events with the start before them, as a log has them."""
        return [started(len(self.table.players), self.settings.model_dump(), self.seed)] + [
            dict(event) for event in self.events
        ]


def started(entrants: int, settings: Mapping[str, int], seed: str = SEED) -> dict[str, Any]:
    """The first event of a tournament's log."""
    return {
        "type": "tournament_started",
        "format": FORMAT,
        "game": CARD.name,
        "rules": CARD.rules,
        "tournament": "spring",
        "entrants": [
            {"entrant": number, "name": f"bot{number}", "bot": BOT} for number in range(entrants)
        ],
        "settings": dict(settings),
        "seed_commitment": seal.commitment(seed),
    }


def match_played(match: str, seats: Sequence[int], ended: Result) -> dict[str, Any]:
    """The event of one match in the tournament's log."""
    return {
        "type": "match_played",
        "match": match,
        "seats": list(seats),
        "reason": ended.reason,
        "scores": list(ended.scores),
        "winners": list(ended.winners),
        "faults": [{"seat": seat, "kind": kind} for seat, kind in ended.faults],
        "seal": ended.seal,
    }


def random_tournament(number: int) -> Held:
    """One of many small tournaments, some with failures; the seed is the number in hex."""
    rng = random.Random(number)
    seats = rng.randint(2, 4)
    entrants, faulty = rng.randint(seats, seats + 5), rng.choice([0.0, 0.02, 0.2, 1.0])
    games = rng.randint(1, 4)

    def ends(match: Match) -> Result:
        own = random.Random(f"{number}/{match.id}")
        if own.random() < faulty:
            failed = sorted(own.sample(range(seats), own.randint(1, 2)))
            return result(seats, (), [(seat, own.choice((*KINDS, "illegal"))) for seat in failed])
        return result(seats, sorted(own.sample(range(seats), own.randint(1, seats))))

    return Held(entrants, ends, f"{number:064x}", seats=seats, games_per_entrant=games)
