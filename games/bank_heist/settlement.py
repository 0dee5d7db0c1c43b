"""What a heist brings and costs, step by step in the order of BH-13."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.bank_heist.events import CrossJudged, Fingered, Settings, SharedOut, Why
from games.bank_heist.state import STAKE, UNIT, Game, Participant, Player, State
from games.table import MatchTable

BOUNDS = {"probability": UNIT, "odds": 1_000 * UNIT}
"""BH-31: where probabilities and odds stop."""

MOST = 10**15
"""BH-31: where everything else stops."""

AT_A_BANK = ("account", "guards", "probability", "odds")
"""What a participant has at each bank."""

TWENTIETH = UNIT // 20
"""What a probability or odds drop by: 0.05 (BH-20, BH-21)."""

DRAWS = 8
"""How often a finger points (BH-20)."""


class Shares(NamedTuple):
    """What a straight and an unexposed crosser get besides their own, and by which clause."""

    clause: str
    straight: int
    crosser: int


@dataclass
class Settlement:
    """The settlement of one game. What players have moves by events; the rabble's moves without."""

    table: MatchTable[Settings]
    state: State

    def run(self) -> None:
        """BH-13: every step, in order."""
        self.go_all_in()
        self.pay_in_bets()
        self.carry_out_actions()
        self.judge_cross()
        self.point_fingers()
        self.share_out()
        self.hire()
        self.pay_salaries()
        self.pay_bribes()
        self.pay_interest()

    @property
    def game(self) -> Game:
        """The game that is settled."""
        return self.state.game

    @property
    def players(self) -> list[Player]:
        """All players, in the order of BH-13."""
        return [one for one in self.game.order if isinstance(one, Player)]

    def move(
        self, one: Participant, why: Why, clause: str, bank: int | None = None, **values: int
    ) -> None:
        """Set what ``one`` has to new ``values``, in their order and within BH-31.

        ``bank`` is the bank robbed unless it is given. What does not change is no event.
        """
        for what, value in values.items():
            after = max(0, min(value, BOUNDS.get(what, MOST)))
            at: dict[str, int] = {}
            if what in AT_A_BANK:
                place = at["bank"] = self.game.bank if bank is None else bank
                holding = getattr(one, what)
                before, holding[place] = holding[place], after
            else:
                before = getattr(one, what)
                setattr(one, what, after)
            if before != after and isinstance(one, Player):
                event = {"type": "moved", "number": self.game.number, "seat": one.number}
                event |= {"why": why, "what": what} | at | {"before": before, "after": after}
                self.table.emit(event, clause)

    # --- The heist (BH-10, BH-12) ----------------------------------------------------------------

    def go_all_in(self) -> None:
        """BH-12: everything and a loan against the paycheck; won at once, or lost."""
        for one in self.game.second:
            if one.action == "all in":
                stake = one.credits + STAKE
                won = stake + gain(one, self.game.bank, stake)
                self.move(one, "all_in", "BH-12", credits=won if one.succeeded else 0)

    def pay_in_bets(self) -> None:
        """BH-10: the crew pays in its bets; who succeeds has winnings."""
        for one in self.game.crew:
            self.move(one, "bet", "BH-10", credits=one.credits - one.bet)
            if one.succeeded:
                won = one.bet + gain(one, self.game.bank, one.bet)
                self.move(one, "heist", "BH-10", winnings=won)

    # --- Actions (BH-14 to BH-18) ----------------------------------------------------------------

    def carry_out_actions(self) -> None:
        """BH-14 to BH-18, in one pass."""
        for one in self.game.crew:
            if isinstance(one, Player):
                self.act(one)

    def act(self, player: Player) -> None:
        """What a player's action does; three of them only if its heist succeeded."""
        bank, won = self.game.bank, player.winnings
        match player.action:
            case "change jobs":
                self.move(player, "change_jobs", "BH-14", employed=0)
            case "acquire intel" if player.succeeded:
                odds = player.odds[bank] + 10_000 * won
                self.move(player, "intel", "BH-15", odds=odds, winnings=0)
            case "buy guard":
                p, guards = player.probability[bank], player.guards[bank]
                raised = p + (UNIT - p) // 100
                self.move(player, "guard", "BH-16", probability=raised, guards=guards + 1)
            case "deposit" if player.succeeded:
                account = player.account[bank] + won
                self.move(player, "deposit", "BH-17", account=account, winnings=0)
            case "withdraw" if player.succeeded:
                winnings = won + player.account[bank]
                self.move(player, "withdraw", "BH-18", winnings=winnings, account=0)

    # --- Crossers and fingers (BH-19 to BH-21) ---------------------------------------------------

    def judge_cross(self) -> None:
        """BH-19: a cross succeeds if few enough try it."""
        staying = sum(player.stays for player in self.state.players)
        crossers = sum(player.crosses for player in self.state.players)
        if crossers:
            self.game.crossed = crossers <= max(1, staying // 10)
            event = CrossJudged(
                type="cross_judged",
                number=self.game.number,
                crossers=crossers,
                staying_players=staying,
                succeeded=int(self.game.crossed),
            )
            self.table.emit(event, "BH-19")

    def point_fingers(self) -> None:
        """BH-20: fingerers whose heist succeeded expose crossers, or nobody (BH-21)."""
        for one in self.game.crew:
            if isinstance(one, Player) and one.action == "finger" and one.succeeded:
                exposed = self.finger(one)
                for crosser in exposed:
                    self.expose(crosser, one)
                if not exposed:
                    self.blame(one)

    def finger(self, fingerer: Player) -> list[Player]:
        """BH-20: eight draws from the staying players; who is exposed by them."""
        staying = [player for player in self.state.players if player.stays]
        label = f"game/{self.game.number}/finger/{fingerer.number}"
        places = [self.table.dice.below(f"{label}/{k}", len(staying)) for k in range(DRAWS)]
        exposed: list[Player] = []
        for place in places:
            player = staying[place]
            if player.crosses and not player.exposed:
                player.exposed = True
                exposed.append(player)
        event = Fingered(
            type="fingered",
            number=self.game.number,
            seat=fingerer.number,
            drawn=[staying[place].number for place in places],
            exposed=[player.number for player in exposed],
        )
        self.table.emit(event, "BH-20")
        return exposed

    def expose(self, crosser: Player, fingerer: Player) -> None:
        """BH-20: the crosser pays a quarter, and loses job, half its salary, probability."""
        paid = crosser.credits // 4
        self.move(
            crosser,
            "exposed",
            "BH-20",
            credits=crosser.credits - paid,
            employed=0,
            salary=crosser.salary // 2,
            probability=crosser.probability[self.game.bank] - TWENTIETH,
        )
        self.move(fingerer, "finger", "BH-20", credits=fingerer.credits + paid)

    def blame(self, fingerer: Player) -> None:
        """BH-21: who exposed nobody loses half its winnings into the pot, salary and odds."""
        lost = fingerer.winnings // 2
        self.game.pot += lost
        self.move(
            fingerer,
            "false_finger",
            "BH-21",
            winnings=fingerer.winnings - lost,
            salary=fingerer.salary - fingerer.salary // 20,
            odds=fingerer.odds[self.game.bank] - TWENTIETH,
        )

    # --- Share-out (BH-22 to BH-24) --------------------------------------------------------------

    def share_out(self) -> None:
        """BH-22 to BH-24: each of the crew receives its own, if it keeps it, and its share."""
        crew = self.game.crew
        if not crew:
            return
        straights = [one for one in crew if not one.crosses]
        crossers = [one for one in crew if one.crosses]
        shares = self.shares(straights, crossers)
        event = SharedOut(
            type="shared_out",
            number=self.game.number,
            straights=len(straights),
            straights_sum=winnings(straights),
            crossers_sum=winnings(crossers),
            pot=self.game.pot,
            straight_share=shares.straight,
            crosser_share=shares.crosser,
        )
        self.table.emit(event, shares.clause)
        for one in crew:
            if one.crosses and self.game.crossed is False:
                self.punish(one)
            self.receive(one, shares)

    def shares(self, straights: Sequence[Participant], crossers: Sequence[Participant]) -> Shares:
        """How much there is for each, besides its own."""
        pot = self.game.pot
        if self.game.crossed is None:
            return Shares("BH-22", split(pot, straights), 0)
        if not self.game.crossed:
            return Shares("BH-24", split(winnings(crossers) + pot, straights), 0)
        unexposed = [one for one in crossers if not one.exposed]
        taken = split(winnings(straights), crossers)
        returned = (len(crossers) - len(unexposed)) * taken
        if unexposed:
            return Shares("BH-23", split(returned, straights), taken + split(pot, unexposed))
        return Shares("BH-23", split(returned + pot, straights), 0)

    def receive(self, one: Participant, shares: Shares) -> None:
        """BH-22 to BH-24: straights keep their own if no cross succeeds, crossers if one does."""
        if not one.crosses:
            received = shares.straight + (0 if self.game.crossed else one.winnings)
        elif not self.game.crossed:
            received = 0
        else:
            received = one.winnings + (0 if one.exposed else shares.crosser)
        one.winnings = 0
        self.move(one, "share", shares.clause, credits=one.credits + received)

    def punish(self, crosser: Participant) -> None:
        """BH-24: a crosser loses its job and half its salary, unless that went when exposed."""
        salary = crosser.salary if crosser.exposed else crosser.salary // 2
        self.move(crosser, "cross_failed", "BH-24", employed=0, salary=salary)

    # --- After the heist (BH-25 to BH-27) --------------------------------------------------------

    def hire(self) -> None:
        """BH-25: the unemployed find a job, one in twenty, with a better salary."""
        for player in self.players:
            label = f"game/{self.game.number}/hired/{player.number}"
            if not player.employed and self.table.dice.chance(label, 1, 20):
                salary = player.salary + player.salary // 20
                self.move(player, "hired", "BH-25", employed=1, salary=salary)

    def pay_salaries(self) -> None:
        """BH-25: all who are employed, but for those that backed out or went all in."""
        for one in self.game.order:
            if one.employed and one.action not in ("back out", "all in"):
                self.move(one, "paycheck", "BH-25", credits=one.credits + one.salary)

    def pay_bribes(self) -> None:
        """BH-26: one credit per guard; guards that are not paid leave."""
        for player in self.players:
            left = player.credits - player.bribes
            self.move(player, "bribe", "BH-26", credits=left)
            if left < 0:
                self.dismiss(player, -left)

    def dismiss(self, player: Player, unpaid: int) -> None:
        """BH-26: so many guards leave, and take their part of the probability along."""
        guards = [
            f"{bank}/{k + 1}" for bank, hired in enumerate(player.guards) for k in range(hired)
        ]
        label = f"game/{self.game.number}/leaving/{player.number}"
        for guard in self.table.dice.sample(label, guards, unpaid):
            bank = int(guard.partition("/")[0])
            self.move(
                player,
                "guard_left",
                "BH-26",
                bank,
                guards=player.guards[bank] - 1,
                probability=(player.probability[bank] - UNIT // 100) * 100 // 99,
            )

    def pay_interest(self) -> None:
        """BH-27: 0.14 % on every account, rounded down."""
        for player in self.players:
            for bank, balance in enumerate(player.account):
                interest = 14 * balance // 10_000
                self.move(player, "interest", "BH-27", bank, account=balance + interest)


def gain(one: Participant, bank: int, stake: int) -> int:
    """BH-10, BH-12: what a stake brings besides itself."""
    return one.odds[bank] * stake // UNIT


def winnings(participants: Sequence[Participant]) -> int:
    """The sum of their winnings."""
    return sum(one.winnings for one in participants)


def split(amount: int, among: Sequence[Participant]) -> int:
    """What each gets of ``amount``; the remainder vanishes, and all of it if there is nobody."""
    return amount // len(among) if among else 0
