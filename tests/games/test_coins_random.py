"""Thousands of games of Coins at random, each recomputed coin by coin; and laws of its actions."""

from __future__ import annotations

import random
from collections import Counter, deque
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.table import ArgvCall, Ask, Fault, Reply
from schema.reader import parse
from tests.factories import Events, match_events, printed, sealed
from tests.games.coins_games import Game, laid_out
from tests.sampling import FACTOR, LONG_RUN

GAMES = 5_000 * FACTOR if LONG_RUN else 1_000
CHUNKS = 20
ACTIONS = "N123ABCXYZFURT"


class Model:
    """Coins by hand: a pile is a text of coins, ``u`` or ``f``, and coins move one by one.

    It answers for every seat at random, checks the arguments of each seat, and keeps the expected
    events. Piles, points and ids are by place in turn order.
    """

    def __init__(self, rng: random.Random, seed: str, players: int, rounds: int) -> None:
        self.rng, self.rounds = rng, rounds
        order, fewer = laid_out(seed, players)
        self.ids = list(order)
        self.start = self.centre = 2**players + 10 * players - fewer
        self.piles = deque([""] * players)
        self.points = [0] * players
        self.removed: list[int] = [0]
        self.turns = 0
        self.short = 0
        self.events: Events = [
            {"type": "laid_out", "order": list(order), "centre": self.centre},
        ]
        weights = rng.choice(["", "", "333", "123", "FF3R", "XYZ3", "RRTT3F"])
        self.choice = ACTIONS + weights * 5

    def __call__(self, ask: Ask) -> Reply:
        """Play one turn: check the arguments of the seat, then give any answer or any failure."""
        round, place = divmod(self.turns, len(self.ids))
        assert round < self.rounds
        assert self.centre or not self.turns, "nobody is asked after the centre was empty"
        told = f"{round + 1};{self.ids[place]};{self.centre}"
        for id, points, pile in zip(self.ids, self.points, self.piles, strict=True):
            told += f";{id}_{points}_{pile.count('f')}_{pile.count('u')}"
        assert (ask.seat, ask.name) == (self.ids[place], "turn")
        assert ask.observation == ArgvCall((told,))
        reply, actions, recorded = self.answer()
        seen = {"seat": self.ids[place], "ask": "turn"}
        if recorded["type"] == "fault":
            clause = "CN-8" if recorded["kind"] == "timeout" else "CN-7"
            seen = {**seen, "clause": clause, "penalty": "NNN"}
        self.events.append({**recorded, **seen})
        for action in actions:
            self.act(place, action)
        self.turns += 1
        self.events.append(
            {
                "type": "acted",
                "round": round + 1,
                "seat": self.ids[place],
                "actions": actions,
                "centre": self.centre,
                **self.by_seat(),
            }
        )
        self.removed.append(self.start - self.centre - sum(map(len, self.piles)))
        if not self.centre or self.turns == self.rounds * len(self.ids):
            self.finish()
        return reply

    def answer(self) -> tuple[Reply, str, dict[str, Any]]:
        """Return an answer, the actions that it means, and its recorded form."""
        actions = "".join(self.rng.choices(self.choice, k=3))
        if self.rng.random() < 0.9:
            text = (
                self.rng.choice(["", "", " \t\r\n"]) + actions + self.rng.choice(["", "\n", "\v"])
            )
            return printed(text), actions, {"type": "answered", "output": text}
        if self.rng.random() < 0.5:
            kind = self.rng.choice(["crash", "timeout", "oversize"])
            reply = Fault(kind, {"output": actions.encode()})
            return reply, "NNN", {"type": "fault", "kind": kind, "output": actions}
        text = self.rng.choice(["", actions.lower() + "r", actions + "N", actions[:2], "N N N"])
        return printed(text), "NNN", {"type": "fault", "kind": "illegal", "output": text}

    def act(self, place: int, action: str) -> None:
        """CN-4, one coin after the other."""
        if action in "RT":
            self.piles.rotate(-1 if action == "R" else 1)
            for other, pile in enumerate(self.piles):
                self.points[other] += sum(-1 if coin == "u" else 2 for coin in pile)
        for letters in ("123", "ABC", "XYZ", "F", "U"):
            if action in letters:
                for _ in range(letters.index(action) + 1):
                    self.move(place, letters)

    def move(self, place: int, letters: str) -> None:
        """One coin of an action, if there is one."""
        pile = self.piles[place]
        if letters == "123" and self.centre:
            self.centre -= 1
            self.piles[place] += "u"
            self.points[place] -= 1
        elif letters == "ABC" and "u" in pile:
            self.centre += 1
            self.piles[place] = pile.replace("u", "", 1)
            self.points[place] += 1
        elif letters == "XYZ" and "u" in pile:
            self.piles[place] = pile.replace("u", "", 1)
        elif letters == "F" and "u" in pile:
            self.piles[place] = pile.replace("u", "f", 1)
            self.points[place] += 2
        elif letters == "U" and "f" in pile:
            self.piles[place] = pile.replace("f", "u", 1)
            self.points[place] -= 2
        else:
            self.short += 1

    def by_seat(self) -> dict[str, list[int]]:
        """Piles and points in the order of the seats."""
        places = [self.ids.index(seat) for seat in range(len(self.ids))]
        return {
            "unflipped": [self.piles[place].count("u") for place in places],
            "flipped": [self.piles[place].count("f") for place in places],
            "points": [self.points[place] for place in places],
        }

    def finish(self) -> None:
        """CN-3, CN-5: the count, and the result."""
        for place, pile in enumerate(self.piles):
            self.points[place] += sum(-1 if coin == "u" else 2 for coin in pile)
        totals = self.by_seat()["points"]
        self.events += [
            {"type": "counted", "points": totals},
            {
                "type": "match_finished",
                "reason": "rounds_played" if self.centre else "centre_empty",
                "scores": totals,
                "winners": [n for n, points in enumerate(totals) if points == max(totals)],
            },
        ]


def played(number: int) -> tuple[Model, Events]:
    """A short random game: what is due, and the events that the rules emitted."""
    rng, seed = random.Random(number), f"{number:064x}"
    players, rounds = rng.choice([2, 2, 3, 4, 5]), rng.randint(1, 5)
    model = Model(rng, seed, players, rounds)
    return model, match_events(model, seed, "coins", players, rounds=rounds)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_account_for_every_coin_and_point(chunk: int) -> None:
    """At every event coins and points are as moved one by one, and no coin is lost or made."""
    for number in range(chunk, GAMES, CHUNKS):
        model, events = played(number)
        assert events[1:] == model.events
        turns = [event for event in events if event["type"] == "acted"]
        for event, removed in zip(turns, model.removed[1:], strict=True):
            piles = event["unflipped"] + event["flipped"]
            assert event["centre"] + sum(piles) + removed == model.start
            assert min(piles) >= 0
        assert model.removed == sorted(model.removed), "what was removed stays out"


def test_random_games_show_everything_there_is() -> None:
    """Among a few hundred of these games every action, failure, end and shortage occurs."""
    seen: Counter[Any] = Counter()
    for number in range(400):
        model, events = played(number)
        for event in events:
            seen.update(event.get("actions", ""))
            seen[event.get("kind")] += 1
            seen[event.get("reason")] += 1
        seen["short"] += model.short > 0
        seen["out of the game"] += model.removed[-1] > 0
        seen["in the last turn"] += not model.centre and model.turns % len(model.ids) == 0
        seen["shared"] += len(events[-1]["winners"]) > 1
    wanted = [*ACTIONS, "crash", "timeout", "oversize", "illegal", "centre_empty", "rounds_played"]
    wanted += ["short", "out of the game", "in the last turn", "shared"]
    assert [name for name in wanted if not seen[name]] == []


def test_equal_seeds_and_answers_give_equal_events() -> None:
    """The same seed and answers give the same game, event for event."""
    assert [played(number)[1] for number in range(20)] == [played(n)[1] for n in range(20)]


@pytest.mark.parametrize("number", range(50))
def test_random_games_are_strictly_readable(number: int) -> None:
    """The log of a random game passes the strict reader, event for event."""
    _, events = played(number)
    log = parse(sealed(events, f"{number:064x}"), Path("random.jsonl"))
    assert list(log.events[:-1]) == events


# --- Laws of the actions -------------------------------------------------------------------------


@st.composite
def positions(draw: st.DrawFn) -> Game:
    """A game of two to five players after some turns, with coins left in the centre."""
    order = draw(st.integers(2, 5).flatmap(lambda n: st.permutations(range(n))))
    game = Game(order)
    for actions in draw(st.lists(st.text("123AXFFURT", min_size=3, max_size=3), max_size=10)):
        assume(game.ask)
        game.play(actions)
    assume(game.ask)
    return game


def worths(game: Game) -> list[int]:
    """Return the worth of each pile, by place in turn order."""
    _, unflipped, flipped = game.coins
    return [2 * flipped[seat] - unflipped[seat] for seat in game.state["order"]]


def gains(game: Game, actions: str) -> list[int]:
    """The points that actions bring, by place in turn order, three a turn."""
    before = game.points
    for first in range(0, len(actions), 3):
        game.play(actions[first : first + 3].ljust(3, "N"))
    return [game.points[seat] - before[seat] for seat in game.state["order"]]


@given(positions(), st.sampled_from("RT"))
def test_piles_passed_all_the_way_round_are_back(game: Game, action: str) -> None:
    """After as many moves one way as there are players, everybody scored for every pile once."""
    coins, worth = game.coins, worths(game)
    assert gains(game, action * len(worth)) == [sum(worth)] * len(worth)
    assert game.coins == coins


@given(positions(), st.sampled_from([("RT", 1), ("TR", -1)]))
def test_piles_passed_there_and_back_are_back(game: Game, case: tuple[str, int]) -> None:
    """R and T undo each other; everybody scored for a neighbour's pile and for its own."""
    actions, neighbour = case
    coins, worth = game.coins, worths(game)
    theirs = worth[neighbour:] + worth[:neighbour]
    assert gains(game, actions) == [a + b for a, b in zip(theirs, worth, strict=True)]
    assert game.coins == coins


@given(positions(), st.sampled_from(["1A", "2B", "3C", "FU", "UF"]))
def test_what_is_taken_back_scores_nothing(game: Game, actions: str) -> None:
    """To take coins and put them back, or to turn one over and back again, changes nothing."""
    assert game.ask
    centre, unflipped, flipped = game.coins
    seat = game.ask.seat
    assume(centre >= int(actions[0]) if actions[0] in "123" else True)
    assume(actions[0] != "F" or unflipped[seat])
    assume(actions[0] != "U" or flipped[seat])
    assert set(gains(game, actions)) == {0}
    assert game.coins == (centre, unflipped, flipped)


@given(positions(), st.sampled_from(["A", "B", "C", "X", "Y", "Z", "F", "U"]))
def test_what_is_not_there_is_not_used(game: Game, action: str) -> None:
    """An action repeated until its coins are used up changes nothing any more."""
    assert game.ask
    seat = game.ask.seat
    _, unflipped, flipped = game.coins
    while (flipped if action == "U" else unflipped)[seat]:
        game.play(action * 3, *["NNN"] * (len(unflipped) - 1))
        _, unflipped, flipped = game.coins
    coins, points = game.coins, game.points
    game.play(action * 3)
    assert (game.coins, game.points) == (coins, points)
