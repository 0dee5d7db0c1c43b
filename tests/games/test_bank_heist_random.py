"""Two hundred games of Bank Heist at random: every credit accounted for, every die recomputed."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any, NamedTuple, get_args

import pytest

from games.bank_heist.events import EVENTS, Action, CreditsSeen, HeistSeen, Why
from games.table import Answer, Ask, Fault, Reply
from schema.dice import Dice
from tests.factories import printed
from tests.games.heist_matches import Bot, Played, at_random, match

BIG = 10**9
MOST = 10**15
WORDS = 2**52
P = [540_000_000, 488_000_000, 425_000_000, 387_000_000, 324_000_000]
ODDS = [800_000_000, 1_100_000_000, 1_300_000_000, 1_650_000_000, 1_950_000_000]
AMOUNTS = {"0": 0, "1": 69, "2": 420, "3": 6_969, "4": 80_085}


class Contest(NamedTuple):
    """A match at random."""

    players: int
    games: int
    rabble: int
    rabble_draw: str
    faulty: float = 0.05

    def play(self) -> Played:
        """The match; its number of games and of players seed it."""
        bot = at_random(random.Random(repr(self)), self.faulty)
        return match(
            bot,
            self.players,
            Dice(self.seed),
            games=self.games,
            rabble=self.rabble,
            rabble_draw=self.rabble_draw,
        )

    @property
    def seed(self) -> str:
        """The seed of the match."""
        return f"{self.rabble + self.players:064x}"


CONTESTS = (
    Contest(1, 10, 0, "subset"),
    Contest(3, 40, 0, "size"),
    Contest(12, 50, 0, "subset"),
    Contest(12, 40, 7, "subset"),
    Contest(11, 20, 160, "size"),
    Contest(25, 20, 30, "size", faulty=0.5),
    Contest(12, 20, 500, "subset"),
)
BOTH = pytest.mark.parametrize("contest", CONTESTS, ids=str)


def test_two_hundred_games_are_played() -> None:
    """The matches of this module hold two hundred games."""
    assert sum(contest.games for contest in CONTESTS) == 200


class Ledger:
    """An account of a match, kept from nothing but its events and dice; it checks every one."""

    def __init__(self, events: list[dict[str, Any]], dice: Dice) -> None:
        start = events[0]
        self.dice = dice
        self.draw = start["settings"]["rabble_draw"]
        seats = self.seats = range(len(start["players"]))
        self.rabble = [240] * start["settings"]["rabble"]
        self.have: dict[Any, int] = {}
        for seat, bank in product(seats, range(5)):
            self.have |= {("credits", seat): 240, ("salary", seat): 240, ("employed", seat): 1}
            self.have |= {("account", seat, bank): 0, ("guards", seat, bank): 0}
            self.have |= {("probability", seat, bank): P[bank], ("odds", seat, bank): ODDS[bank]}
        self.game = -1
        for event in events[1:]:
            getattr(self, event["type"])(event)

    def of(self, what: str, seat: int) -> int:
        """Return a seat's value now, at the bank robbed."""
        return self.have.get((what, seat), self.have.get((what, seat, self.bank), -1))

    # --- the two rounds

    def games_drawn(self, event: Any) -> None:
        """As many games as the contest wants."""
        self.games = event["games"]

    def game_started(self, event: Any) -> None:
        """Games follow each other; the dice select the rabble that joins."""
        self.game += 1
        assert event["number"] == self.game
        label = f"game/{self.game}/rabble"
        if self.draw == "subset":
            words = self.dice.bulk(label, len(self.rabble))
            self.drawn = [i for i, word in enumerate(words) if word < 2**51]
        else:
            size = self.dice.below(f"{label}/size", len(self.rabble) + 1)
            members = self.dice.sample(label, [str(i) for i in range(len(self.rabble))], size)
            self.drawn = sorted(map(int, members))
        assert event["participants"] == len(self.seats) + len(self.drawn)
        self.bets: dict[int, int] = {}
        self.actions: dict[int, str] = {}
        self.fates, self.rabble_fates = "", "." * len(self.rabble)
        self.exposed: list[int] = []
        self.crossed: int | None = None
        self.debt, self.pot, self.shares = 0, 0, (0, 0)
        self.seen: Counter[tuple[str, int, str]] = Counter()
        self.due: dict[int, int] = {}
        self.leaving: dict[int, list[str]] = {}
        self.have |= {("winnings", seat): 0 for seat in self.seats}

    def answered(self, event: Any) -> None:
        """The answer of the seat that decides next."""
        self.asked = (event["seat"], event["ask"], True)

    def fault(self, event: Any) -> None:
        """A fault costs a bet, or nothing."""
        self.asked = (event["seat"], event["ask"], False)
        costs = {"bet": ("BH-6", "bet 0"), "action": ("BH-8", "carry on")}
        assert (event["clause"], event["penalty"]) == costs[event["ask"]]

    def bet(self, event: Any) -> None:
        """Nobody bets more than it has; a fault bets 0."""
        assert self.asked[:2] == (event["seat"], "bet")
        assert event["bet"] <= self.have["credits", event["seat"]] * self.asked[2]
        self.bets[event["seat"]] = event["bet"]

    def bets_closed(self, event: Any) -> None:
        """The rabble bets as dice and bets before it say; sums and bank follow."""
        names = [*map(str, self.seats), *(f"r{i}" for i in self.drawn)]
        self.first = self.dice.shuffle(f"game/{self.game}/bet/order", names)
        assert [int(name) for name in self.first if name[0] != "r"] == list(self.bets)
        words = self.dice.bulk(f"game/{self.game}/bet/rabble", len(self.rabble))
        written = ["."] * len(self.rabble)
        heisters = total = bank = 0
        for name in self.first:
            if name[0] != "r":
                bet = self.bets[int(name)]
            else:
                member = int(name[1:])
                bets = words[member] * BIG < P[bank] * WORDS
                afford = [s for s, amount in AMOUNTS.items() if amount <= self.rabble[member]]
                written[member] = max(afford) if bets else "0"
                bet = AMOUNTS[written[member]]
            heisters += bet > 0
            total += bet
            bank = max(b for b in range(5) if b * 20 <= heisters + total // 100_000)
        assert event["rabble_bets"] == "".join(written)
        assert (event["heisters"], event["total"], event["bank"]) == (heisters, total, bank)
        self.rabble_bets, self.heisters, self.bank = written, heisters, bank

    def acted(self, event: Any) -> None:
        """Only heisters act; a fault carries on."""
        assert self.asked[:2] == (event["seat"], "action")
        assert self.asked[2] or event["action"] == "carry on"
        assert self.bets[event["seat"]] > 0
        self.actions[event["seat"]] = event["action"]

    def heist_rolled(self, event: Any) -> None:
        """The rabble backs out as dice and decisions before it say; all dice are recomputed."""
        names = [name for name in self.first if self.bet_of(name)]
        self.second = self.dice.shuffle(f"game/{self.game}/action/order", names)
        assert [int(name) for name in self.second if name[0] != "r"] == list(self.actions)
        words = self.dice.bulk(f"game/{self.game}/action/rabble", len(self.rabble))
        out: list[str] = []
        for decided, name in enumerate(self.second):
            if name[0] != "r":
                leaves = self.actions[int(name)] == "back out"
            elif decided:
                x = words[int(name[1:])]
                leaves = x * 20 * decided < WORDS * (decided + 10 * len(out))
            else:
                leaves = words[int(name[1:])] * 20 < WORDS
            out += [name] * leaves
        staying = len(self.second) - len(out)
        rolls = self.dice.bulk(f"game/{self.game}/success/rabble", len(self.rabble))

        def fate(name: str) -> str:
            if name not in self.second:
                return "."
            if name in out:
                return "o"
            if name[0] == "r":
                p, x, alone = P[self.bank], rolls[int(name[1:])], False
            else:
                p = self.of("probability", int(name))
                x = self.dice.word(f"game/{self.game}/success/{name}")
                alone = self.actions[int(name)] == "all in"
            if alone:
                return "s" if x * BIG < p * WORDS else "f"
            return "s" if x * self.heisters * BIG < p * staying * WORDS else "f"

        assert event["staying"] == staying
        assert event["player_fates"] == "".join(fate(str(seat)) for seat in self.seats)
        assert event["rabble_fates"] == "".join(fate(f"r{i}") for i in range(len(self.rabble)))
        self.fates, self.rabble_fates = event["player_fates"], event["rabble_fates"]

    def bet_of(self, name: str) -> int:
        """Return the bet of a participant."""
        if name[0] == "r":
            return AMOUNTS[self.rabble_bets[int(name[1:])]]
        return self.bets[int(name)]

    # --- the settlement

    def moved(self, event: Any) -> None:
        """Every move starts where the last one ended, within bounds, by what its reason allows."""
        seat, what, before, after = (event[key] for key in ("seat", "what", "before", "after"))
        key = (what, seat, event["bank"]) if "bank" in event else (what, seat)
        assert self.have[key] == before != after
        most = {"probability": BIG, "odds": 1000 * BIG, "employed": 1}.get(what, MOST)
        assert 0 <= after <= most
        getattr(self, f"why_{event['why']}")(seat, what, before, after, event.get("bank"))
        self.have[key] = after
        self.seen[event["why"], seat, what] += 1

    def why_all_in(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """Everything and 240, with the odds, or nothing."""
        stake = before + 240
        won = stake + self.of("odds", seat) * stake // BIG
        assert (what, self.actions[seat]) == ("credits", "all in")
        assert after == (won if self.fates[seat] == "s" else 0)

    def why_bet(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """The bet."""
        assert (what, before - after) == ("credits", self.bets[seat])
        assert self.actions[seat] not in ("back out", "all in")

    def why_heist(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """The stake and gain of a player that succeeded."""
        bet = self.bets[seat]
        assert (what, before, self.fates[seat]) == ("winnings", 0, "s")
        assert after == bet + self.of("odds", seat) * bet // BIG

    def why_change_jobs(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """The player loses its job."""
        assert (what, after, self.actions[seat]) == ("employed", 0, "change jobs")

    def why_intel(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """Winnings become odds."""
        assert (self.actions[seat], self.fates[seat]) == ("acquire intel", "s")
        if what == "odds":
            assert (bank, after - before) == (self.bank, 10_000 * self.of("winnings", seat))
        else:
            assert (what, after) == ("winnings", 0)

    def why_guard(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """A hundredth of what is missing to certainty."""
        assert (bank, self.actions[seat]) == (self.bank, "buy guard")
        assert after - before == {"guards": 1, "probability": (BIG - before) // 100}[what]

    def why_deposit(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """Winnings go into the account."""
        assert (self.actions[seat], self.fates[seat]) == ("deposit", "s")
        gain = {"account": self.of("winnings", seat), "winnings": -before}
        assert after - before == gain[what]

    def why_withdraw(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """The account goes to the winnings."""
        assert (self.actions[seat], self.fates[seat]) == ("withdraw", "s")
        gain = {"winnings": self.of("account", seat), "account": -before}
        assert after - before == gain[what]

    def cross_judged(self, event: Any) -> None:
        """One in ten may cross, and one always."""
        crossers = Counter(self.actions.values())["double cross"]
        staying = sum(fate in "sf" for fate in self.fates)
        assert (event["crossers"], event["staying_players"]) == (crossers, staying)
        self.crossed = int(crossers <= max(1, staying // 10))
        assert event["succeeded"] == self.crossed

    def fingered(self, event: Any) -> None:
        """Eight dice among those who stay; each crosser is exposed once."""
        staying = [seat for seat in self.seats if self.fates[seat] in "sf"]
        labels = [f"game/{self.game}/finger/{event['seat']}/{k}" for k in range(8)]
        drawn = [staying[self.dice.word(label) * len(staying) // WORDS] for label in labels]
        assert event["drawn"] == drawn
        assert (self.actions[event["seat"]], self.fates[event["seat"]]) == ("finger", "s")
        hit = [seat for seat in dict.fromkeys(drawn) if self.actions[seat] == "double cross"]
        assert event["exposed"] == [seat for seat in hit if seat not in self.exposed]
        self.exposed += event["exposed"]

    def why_exposed(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """A quarter of the credits is owed to the fingerer."""
        assert seat in self.exposed
        if what == "credits":
            assert self.debt == 0
            self.debt = before // 4
        drop = min(before, 50_000_000)
        loss = {"credits": before // 4, "employed": 1, "salary": before - before // 2}
        assert before - after == loss.get(what, drop)

    def why_finger(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """The fingerer gains the amount that the crosser lost."""
        assert (what, after - before) == ("credits", self.debt)
        self.debt = 0

    def why_false_finger(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """Half the winnings go into the pot."""
        if what == "winnings":
            self.pot += before // 2
        loss = {"winnings": before // 2, "salary": before // 20, "odds": min(before, 50_000_000)}
        assert before - after == loss[what]

    def shared_out(self, event: Any) -> None:
        """The amount shared out is the crew's winnings and the pot, and no more."""
        assert self.debt == 0
        crew = [seat for seat in self.seats if self.is_crew(seat)]
        crossers = [seat for seat in crew if self.actions[seat] == "double cross"]
        straights = [seat for seat in crew if seat not in crossers]
        members = [i for i, fate in enumerate(self.rabble_fates) if fate in "sf"]
        count = len(straights) + len(members)
        p = sum(self.of("winnings", seat) for seat in straights) + sum(map(self.won, members))
        q = sum(self.of("winnings", seat) for seat in crossers)
        assert (event["straights"], event["straights_sum"]) == (count, p)
        assert (event["crossers_sum"], event["pot"]) == (q, self.pot)
        unexposed = len(crossers) - len(self.exposed)
        there = {None: self.pot, 0: q + self.pot, 1: p + self.pot}[self.crossed]
        given = count * event["straight_share"] + unexposed * event["crosser_share"]
        assert given <= there
        if count and (unexposed or self.crossed != 1):
            assert there - given < count + 2 * len(crossers) + 1, "just remainders vanish"
        if self.crossed != 1:
            assert event["crosser_share"] == 0
        self.shares = (event["straight_share"], event["crosser_share"])
        self.due = {seat: self.share(seat) for seat in crew}

    def share(self, seat: int) -> int:
        """Return the amount due to a crew member: its winnings, if it keeps them, and its share."""
        own, (straight, crosser) = self.of("winnings", seat), self.shares
        if self.actions[seat] != "double cross":
            return own * (self.crossed != 1) + straight
        return (own + crosser * (seat not in self.exposed)) * (self.crossed == 1)

    def is_crew(self, seat: int) -> bool:
        """Whether a player stayed and did not go all in."""
        return self.fates[seat : seat + 1] in ("s", "f") and self.actions[seat] != "all in"

    def won(self, member: int) -> int:
        """The winnings of a member of the rabble."""
        bet = AMOUNTS[self.rabble_bets[member]]
        return (bet + ODDS[self.bank] * bet // BIG) * (self.rabble_fates[member] == "s")

    def why_cross_failed(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """The player loses its job and half its salary."""
        assert (self.crossed, self.actions[seat]) == (0, "double cross")
        assert what == "employed" or seat not in self.exposed
        assert after == {"employed": 0, "salary": before // 2}[what]

    def why_share(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """One's own, and a share."""
        assert (what, after - before) == ("credits", self.due.pop(seat))

    def why_hired(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """One in twenty, for 5 % more."""
        assert self.dice.word(f"game/{self.game}/hired/{seat}") * 20 < WORDS
        assert after - before == {"employed": 1, "salary": before // 20}[what]

    def why_paycheck(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """The salary of a player that is employed and did not leave."""
        assert self.actions.get(seat) not in ("back out", "all in")
        assert (what, after - before) == ("credits", self.of("salary", seat))
        assert self.of("employed", seat)

    def guards(self, seat: int) -> int:
        """Return the number of a player's guards."""
        return sum(self.have["guards", seat, bank] for bank in range(5))

    def why_bribe(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """One credit a guard, as far as they go."""
        assert (what, after) == ("credits", max(0, before - self.guards(seat)))
        self.leaving[seat] = self.leavers(seat, self.guards(seat) - before)

    def leavers(self, seat: int, count: int) -> list[str]:
        """Which guards leave."""
        numbers = [(bank, self.have["guards", seat, bank]) for bank in range(5)]
        guards = [f"{bank}/{k}" for bank, number in numbers for k in range(1, number + 1)]
        return self.dice.sample(f"game/{self.game}/leaving/{seat}", guards, max(0, count))

    def why_guard_left(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """A guard and its bonus."""
        if seat not in self.leaving:  # there was no credit at all
            self.leaving[seat] = self.leavers(seat, self.guards(seat))
        if what == "guards":
            assert self.leaving[seat].pop(0).startswith(f"{bank}/")
        lost = max(0, (before - 10_000_000) * 100 // 99)
        assert after == {"guards": before - 1, "probability": lost}[what]
        assert self.of("credits", seat) == 0

    def why_interest(self, seat: int, what: str, before: int, after: int, bank: Any) -> None:
        """0.14 %."""
        assert (what, after - before) == ("account", before * 14 // 10_000)

    # --- the end

    def game_finished(self, event: Any) -> None:
        """Credits are what the moves made of them; the rabble's follow from its two strings."""
        for member, fate in enumerate(self.rabble_fates):
            if fate in "sf":
                self.rabble[member] -= AMOUNTS[self.rabble_bets[member]]
                self.rabble[member] += self.won(member) * (self.crossed != 1) + self.shares[0]
        for member in self.drawn:
            self.rabble[member] += 240 * (self.rabble_fates[member] != "o")
        assert event["rabble_credits"] == sum(self.rabble)
        assert event["credits"] == [self.have["credits", seat] for seat in self.seats]
        for seat in self.seats:
            self.nothing_missing(seat)

    def nothing_missing(self, seat: int) -> None:
        """Each movement that was due is recorded."""
        action, crew, fate = self.actions.get(seat), self.is_crew(seat), self.fates[seat:][:1]
        assert self.seen["bet", seat, "credits"] == crew
        assert self.seen["heist", seat, "winnings"] == (crew and fate == "s")
        assert self.seen["guard", seat, "guards"] == (action == "buy guard")
        assert self.seen["all_in", seat, "credits"] == (action == "all in")
        assert not self.due.get(seat)
        if not self.of("employed", seat):
            assert self.dice.word(f"game/{self.game}/hired/{seat}") * 20 >= WORDS
        paid = self.of("employed", seat) and action not in ("back out", "all in")
        assert self.seen["paycheck", seat, "credits"] == bool(paid)
        assert self.guards(seat) == 0 or seat in self.leaving
        assert not self.leaving.get(seat)
        accounts = [self.have["account", seat, bank] for bank in range(5)]  # 715 bring a credit
        assert self.seen["interest", seat, "account"] == sum(one >= 715 for one in accounts)

    def match_finished(self, event: Any) -> None:
        """The most credits win."""
        scores = [self.have["credits", seat] for seat in self.seats]
        assert (event["reason"], event["scores"]) == ("played", scores)
        assert event["winners"] == [s for s in self.seats if scores[s] == max(scores)]
        assert self.game == self.games - 1


@BOTH
def test_every_credit_is_accounted_for(contest: Contest) -> None:
    """Every move follows from those before, every sum from its parts, every die from the seed."""
    Ledger(contest.play().events, Dice(contest.seed))


@BOTH
def test_logs_are_strictly_readable(contest: Contest) -> None:
    """The log of a random match passes the strict reader, event for event."""
    played = contest.play()
    assert list(played.log(contest.seed).events[:-1]) == played.events


def test_random_games_show_everything_there_is() -> None:
    """Every event but those of imports, action, reason, kind of fault and bank occurs in them."""
    matches = [contest.play() for contest in CONTESTS]
    events = [event for played in matches for event in played.events]
    kinds = {event["type"].replace("_", "") for event in events}
    played = [model for model in EVENTS if model not in (HeistSeen, CreditsSeen)]
    assert kinds >= {model.__name__.lower() for model in played}
    assert {event.get("action") for event in events} >= set(get_args(Action))
    assert {event["why"] for event in events if event["type"] == "moved"} == set(get_args(Why))
    faults = {event["kind"] for event in events if event["type"] == "fault"}
    assert faults == {"illegal", "crash", "timeout", "oversize"}
    banks = {event["bank"] for event in events if event["type"] == "bets_closed"}
    assert banks == set(range(5))
    assert {event["succeeded"] for event in events if event["type"] == "cross_judged"} == {0, 1}


@BOTH
def test_moves_come_in_the_order_of_settlement(contest: Contest) -> None:
    """In every game the reasons to move follow the order of BH-13, step by step."""
    steps = (
        ("all_in",),
        ("bet", "heist"),
        ("change_jobs", "intel", "guard", "deposit", "withdraw"),
        ("exposed", "finger", "false_finger"),
        ("cross_failed", "share"),
        ("hired",),
        ("paycheck",),
        ("bribe", "guard_left"),
        ("interest",),
    )
    step_of = {why: step for step, whys in enumerate(steps) for why in whys}
    played = contest.play()
    for game in range(contest.games):
        order = [step_of[event["why"]] for event in played.of("moved", number=game)]
        assert order == sorted(order)


def test_equal_seeds_and_answers_give_equal_events() -> None:
    """A match is a function of seed, settings and answers; another seed gives another match."""
    contest = CONTESTS[3]
    assert contest.play() == contest.play()
    bot: Bot = at_random(random.Random(0))
    one = match(bot, 2, Dice("0" * 64), games=3, rabble=20)
    two = match(at_random(random.Random(0)), 2, Dice("1" * 64), games=3, rabble=20)
    assert one.events[1:] != two.events[1:]


def misbehaving(reply: Reply) -> Bot:
    """Seat 0 always gives this reply; the others are sound."""

    def bot(ask: Ask) -> Reply:
        if ask.seat == 0:
            return reply
        return printed("50" if ask.name == "bet" else ["finger", "deposit"][ask.seat % 2])

    return bot


WRONG = [
    Answer({}),
    printed(b"\xff"),
    printed("no number"),
    Fault("crash", {"output": b"100"}),
    Fault("timeout"),
    Fault("oversize", {"output": b"1" * 70_000}),
]


@pytest.mark.parametrize("reply", WRONG, ids=str)
def test_a_fault_costs_only_the_bot_itself(reply: Reply) -> None:
    """A match in which one bot always fails continues as if it had bet 0."""

    def without_answers(played: Played) -> list[dict[str, Any]]:
        return [event for event in played.events if event["type"] not in ("answered", "fault")]

    failing = match(misbehaving(reply), 4, games=5, rabble=30)
    sitting = match(misbehaving(printed("0")), 4, games=5, rabble=30)
    assert len(failing.of("fault")) == 5
    assert without_answers(failing) == without_answers(sitting)
