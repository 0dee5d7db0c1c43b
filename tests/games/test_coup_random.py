"""Thousands of games of Coup at random: nothing is ever lost, made up, or out of turn."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from games.coup.cards import DECK, GIVEN_UP_CARD
from games.table import Answer, Ask, Fault, Reply
from schema.reader import parse
from tests.factories import Events, Player, answer, at_random, match_events, sealed
from tests.games.coup_games import everything, without
from tests.sampling import FACTOR, LONG_RUN

GAMES = 5_000 * FACTOR if LONG_RUN else 1_000
CHUNKS = 20

GAIN = {"income": 1, "foreign_aid": 2, "tax": 3, "coup": -7, "assassination": -3}

LOST = "[_'<=0]"
LINE = re.compile(
    rf"(I|F(p|d(q\$?{LOST})?)|E(p|q~?{LOST})|T(p|q\$?{LOST})|C{LOST}"
    rf"|S(p|q\*?{LOST}|a(q~?{LOST})?|c(q\*?{LOST})?)|A({LOST}|q{LOST}|s(q!?{LOST})?))\n"
)
"""A whole turn, as the rulebook has it; a proven assassin ends the game before the newline."""


@dataclass
class Ledger:
    """An account of a game, kept from nothing but its events."""

    hands: list[str] = field(default_factory=list)
    coins: list[int] = field(default_factory=list)
    deck: str = ""
    offered: str = ""
    lost: str = ""
    caller: int = 0
    history: str = ""

    def enter(self, event: dict[str, Any]) -> None:
        """Take one event into account; it must fit what is known."""
        getattr(self, event["type"])(event)
        cards = "".join(self.hands) + self.deck + self.offered + self.lost
        assert everything(cards) == DECK, "fifteen cards, three of each"
        assert min(self.coins) >= 0
        assert max(self.coins) <= 12

    def dealt(self, event: dict[str, Any]) -> None:
        """Four cards and two coins are out."""
        self.hands, self.coins, self.deck = event["hands"], event["coins"], event["deck"]
        assert ([len(hand) for hand in self.hands], self.coins) == ([2, 2], [1, 1])

    def answered(self, event: dict[str, Any]) -> None:
        """It is strictly the other's call after this one."""
        assert event["seat"] == self.caller
        self.caller = 1 - self.caller
        self.history += event["appended"]

    def fault(self, event: dict[str, Any]) -> None:
        """Only the player that is asked can fail."""
        assert event["seat"] == self.caller

    def coins_moved(self, event: dict[str, Any]) -> None:
        """Coins come from the treasury or go there by fixed amounts, or from one to the other."""
        change = event["change"]
        if event["cause"] == "steal":
            thief = change.index(max(change))
            taken = min(2, self.coins[1 - thief])
            assert taken > 0
            assert (change[thief], change[1 - thief]) == (taken, -taken)
        else:
            assert sorted(change) == sorted([0, GAIN[event["cause"]]])
        self.coins = [old + more for old, more in zip(self.coins, change, strict=True)]
        assert event["coins"] == self.coins

    def card_lost(self, event: dict[str, Any]) -> None:
        """The player loses a card of its hand."""
        self.hands[event["seat"]] = without(self.hands[event["seat"]], event["card"])
        self.lost += event["card"]
        assert event["hand"] == self.hands[event["seat"]]

    def card_replaced(self, event: dict[str, Any]) -> None:
        """A card of the hand went back, and the top of the deck came last."""
        hand = without(self.hands[event["seat"]], event["card"])
        assert len(event["drawn"]) == 1
        self.hands[event["seat"]] = hand + event["drawn"]
        assert event["hand"] == self.hands[event["seat"]]
        assert everything(event["drawn"] + event["deck"]) == everything(self.deck + event["card"])
        self.deck = event["deck"]

    def cards_offered(self, event: dict[str, Any]) -> None:
        """The two top cards of the deck are in the owner's sight."""
        assert (self.offered, event["seat"]) == ("", self.caller)
        assert len(event["drawn"]) == 2
        assert event["drawn"] + event["deck"] == self.deck
        self.offered, self.deck = event["drawn"], event["deck"]

    def cards_exchanged(self, event: dict[str, Any]) -> None:
        """The cards kept and the cards returned are together the cards before."""
        before = self.offered + self.hands[event["seat"]]
        assert len(event["hand"]) == len(self.hands[event["seat"]])
        assert everything(event["hand"] + event["returned"]) == everything(before)
        assert everything(event["deck"]) == everything(self.deck + event["returned"])
        self.hands[event["seat"]], self.deck, self.offered = event["hand"], event["deck"], ""

    def match_finished(self, event: dict[str, Any]) -> None:
        """The result is what the hands say."""
        out = [seat for seat, hand in enumerate(self.hands) if not hand]
        if event["reason"] == "eliminated":
            assert event["winners"] == [1 - out[0]]
        elif event["reason"] == "drawn":
            assert (event["winners"], out) == ([], [])
        else:
            assert (event["winners"], out) == ([1 - self.caller], [])
        assert event["scores"] == [int(seat in event["winners"]) for seat in range(2)]


def audited(events: Events) -> Ledger:
    """The account of a whole match, after every event of it was checked."""
    ledger = Ledger()
    for event in events[1:]:
        ledger.enter(event)
    assert [event["type"] for event in events].count("match_finished") == 1
    assert events[-1]["type"] == "match_finished"
    return ledger


def trusting(rng: random.Random) -> Player:
    """A player at random that seldom challenges and seldom blocks, so that games last longer."""
    anything = at_random(rng)

    def play(ask: Ask) -> Any:
        calm = [action for action in ask.legal if action[0] not in "qacds"]
        if not calm or ask.name == "exchange" or rng.random() < 0.1:
            return anything(ask)
        return answer(rng.choice(calm))

    return play


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_conserve_cards_and_coins(chunk: int) -> None:
    """At every event cards and coins add up, calls alternate, and hands follow from the events."""
    reasons = set()
    for number in range(chunk, GAMES, CHUNKS):
        rng = random.Random(number)
        player = trusting(rng) if number % 2 else at_random(rng)
        events = match_events(player, f"{number:064x}", max_calls=rng.choice([40, 200]))
        ledger = audited(events)
        *lines, tail = ledger.history.split("\n")
        assert all(LINE.fullmatch(line + "\n") for line in lines)
        assert "\n" not in tail
        assert len(ledger.lost) == sum(map(ledger.history.count, GIVEN_UP_CARD)) + doubles(events)
        reasons.add(events[-1]["reason"])
    assert reasons >= {"eliminated"}


def doubles(events: Events) -> int:
    """Return the number of second cards lost under CP-12, without being written."""
    kinds = [event["type"] for event in events]
    return sum(pair == ("card_lost", "card_lost") for pair in pairwise(kinds))


def test_random_games_show_everything_there_is() -> None:
    """Among a few hundred of these games every action, block, proof and event occurs."""
    histories, kinds, reasons = "", set(), set()
    for number in range(400):
        rng = random.Random(number)
        player = trusting(rng) if number % 2 else at_random(rng)
        events = match_events(player, f"{number:064x}", max_calls=rng.choice([40, 200]))
        histories += audited(events).history
        kinds |= {event["type"] for event in events}
        reasons.add(events[-1]["reason"])
    assert set(histories) == set("IFETASCdacspq\n~^*!$_'<=0")
    assert kinds >= {"coins_moved", "card_lost", "card_replaced", "cards_offered"}
    assert kinds >= {"cards_exchanged", "answered", "dealt", "match_finished"}
    assert reasons == {"eliminated", "drawn"}


@pytest.mark.parametrize("number", range(100))
def test_random_games_are_strictly_readable(number: int) -> None:
    """The log of a random game passes the strict reader, event for event."""
    events = match_events(at_random(random.Random(number)), f"{number:064x}")
    log = parse(sealed(events, f"{number:064x}"), Path("random.jsonl"))
    assert list(log.events[:-1]) == events


class Unreliable:
    """A player at random that fails sooner or later, in any way there is; ``failed`` says how."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.failed: tuple[int, str] | None = None
        self._sound = at_random(rng)

    def __call__(self, ask: Ask) -> Any:
        """A legal answer most of the time; once a wrong one, and then no more."""
        assert self.failed is None, "nobody is asked after a fault"
        if self.rng.random() > 0.1:
            return self._sound(ask)
        reply = self._wrong(ask)
        self.failed = (ask.seat, reply.kind if isinstance(reply, Fault) else "illegal")
        return reply

    def _wrong(self, ask: Ask) -> Reply:
        junk = self.rng.randbytes(self.rng.randrange(4))
        if self.rng.random() < 0.3:
            kind = self.rng.choice(["crash", "timeout", "oversize", "tampered"])
            channel = self.rng.choice(["output", "appended", "file"])
            return Fault(kind, {channel: junk}, self.rng.choice([None, "a pipe"]))
        if ask.name == "exchange" and self.rng.random() < 0.5:
            return Answer({"output": b"~^*!$" + junk, "appended": b"\n"})
        good = self.rng.choice(ask.legal).encode()
        wrong = self.rng.choice([b"", good + good, good + junk + b"x", b" " + good, b"\xff", b"Z"])
        return Answer({"output": junk, "appended": wrong})


@pytest.mark.parametrize("chunk", range(5))
def test_a_misbehaving_bot_always_forfeits(chunk: int) -> None:
    """A bot with any fault at any time forfeits, the other bot scores, and the log is valid."""
    failures = set()
    for number in range(chunk, 1000, 5):
        player = Unreliable(random.Random(number))
        seed = f"{number:064x}"
        events = match_events(player, seed)
        audited(events)
        if player.failed is None:
            assert events[-1]["reason"] != "forfeit"
            continue
        seat, kind = player.failed
        failures.add(kind)
        fault, finished = events[-2:]
        assert (fault["type"], fault["seat"], fault["kind"]) == ("fault", seat, kind)
        assert (fault["clause"], fault["penalty"]) == ("CP-17", "forfeit")
        assert (finished["reason"], finished["winners"]) == ("forfeit", [1 - seat])
        assert finished["scores"] == [int(seat == 1), int(seat == 0)]
        parse(sealed(events, seed), Path("random.jsonl"))
    assert failures == {"crash", "timeout", "oversize", "tampered", "illegal"}
