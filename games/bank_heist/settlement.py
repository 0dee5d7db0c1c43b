"""The settlement of a game of Bank Heist, step by step in the order of BH-13."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.bank_heist.events import CrossJudged, Fingered, Settings, SharedOut, Why
from games.bank_heist.state import STAKE, UNIT, Participant, Player, State
from games.table import MatchTable

BOUNDS = {"probability": UNIT, "odds": 1_000 * UNIT}
"""BH-31: the maximum of probabilities and odds."""

MOST = 10**15
"""BH-31: the maximum of credits, salaries, winnings and accounts."""

AT_A_BANK = ("account", "guards", "probability", "odds")
"""The possessions that a participant has at each bank."""

TWENTIETH = UNIT // 20
"""The drop of a probability or odds: 0.05 (BH-20, BH-21)."""

DRAWS = 8
"""Number of draws of a fingerer (BH-20)."""


class Shares(NamedTuple):
    """The share of a straight and of an unexposed crosser besides their own, with the clause."""

    clause: str
    straight: int
    crosser: int


@dataclass
class Settlement:
    """The settlement of one game. Changes of players are events; those of the rabble are not."""

    table: MatchTable[Settings]
    state: State

    def __post_init__(self) -> None:
        self.game = self.state.game
        self.order = self.game.order
        """All participants, in the order of BH-13."""
        self.players = [player for player in self.order if isinstance(player, Player)]
        self.crew = self.game.crew

    def run(self) -> None:
        """BH-13: run all steps, in order."""
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

    def pay(self, participant: Participant, amount: int, why: Why, clause: str) -> None:
        """Change the credits of a participant by ``amount``, within the bounds of BH-31."""
        before, after = participant.credits, participant.credits + amount
        if not 0 <= after <= MOST:
            after = 0 if after < 0 else MOST
        participant.credits = after
        if before != after and isinstance(participant, Player):
            self.record(participant, why, clause, {"what": "credits"}, before, after)

    def move(
        self,
        participant: Participant,
        why: Why,
        clause: str,
        bank: int | None = None,
        **values: int,
    ) -> None:
        """Set possessions of a participant to ``values``, within the bounds of BH-31.

        ``bank`` is by default the bank of the game.
        """
        for what, value in values.items():
            after = max(0, min(value, BOUNDS.get(what, MOST)))
            where: dict[str, str | int] = {"what": what}
            if what in AT_A_BANK:
                number = where["bank"] = self.game.bank if bank is None else bank
                by_bank = getattr(participant, what)
                before, by_bank[number] = by_bank[number], after
            else:
                before = getattr(participant, what)
                setattr(participant, what, after)
            if before != after and isinstance(participant, Player):
                self.record(participant, why, clause, where, before, after)

    def record(
        self,
        player: Player,
        why: Why,
        clause: str,
        where: Mapping[str, str | int],
        before: int,
        after: int,
    ) -> None:
        """Record the change of a player's possession as an event."""
        event = {"type": "moved", "number": self.game.number, "seat": player.number, "why": why}
        self.table.emit({**event, **where, "before": before, "after": after}, clause)

    # --- The heist (BH-10, BH-12) ----------------------------------------------------------------

    def go_all_in(self) -> None:
        """BH-12: a heister all in stakes everything and a loan, and wins at once or loses it."""
        for heister in self.game.second:
            if heister.action == "all in":
                stake = heister.credits + STAKE
                won = stake + gain(heister, self.game.bank, stake)
                self.move(heister, "all_in", "BH-12", credits=won if heister.succeeded else 0)

    def pay_in_bets(self) -> None:
        """BH-10: the crew pays its bets; those who succeed have winnings."""
        for member in self.crew:
            self.pay(member, -member.bet, "bet", "BH-10")
            if member.succeeded:
                won = member.bet + gain(member, self.game.bank, member.bet)
                self.move(member, "heist", "BH-10", winnings=won)

    # --- Actions (BH-14 to BH-18) ----------------------------------------------------------------

    def carry_out_actions(self) -> None:
        """BH-14 to BH-18: carry out the actions of the crew, in one pass."""
        for member in self.crew:
            if isinstance(member, Player):
                self.act(member)

    def act(self, player: Player) -> None:
        """BH-14 to BH-18: carry out one action; three of them need a heist that succeeded."""
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
        """BH-19: a cross succeeds if at most a tenth of the staying players, or one, tries it."""
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
        """BH-20, BH-21: each fingerer whose heist succeeded exposes crossers, or pays for none."""
        for member in self.crew:
            if isinstance(member, Player) and member.action == "finger" and member.succeeded:
                exposed = self.finger(member)
                for crosser in exposed:
                    self.expose(crosser, member)
                if not exposed:
                    self.blame(member)

    def finger(self, fingerer: Player) -> list[Player]:
        """BH-20: draw eight of the staying players, and return the crossers that this exposes."""
        staying = [player for player in self.state.players if player.stays]
        label = f"game/{self.game.number}/finger/{fingerer.number}"
        drawn = [staying[self.table.dice.below(f"{label}/{k}", len(staying))] for k in range(DRAWS)]
        exposed: list[Player] = []
        for player in drawn:
            if player.crosses and not player.exposed:
                player.exposed = True
                exposed.append(player)
        event = Fingered(
            type="fingered",
            number=self.game.number,
            seat=fingerer.number,
            drawn=[player.number for player in drawn],
            exposed=[player.number for player in exposed],
        )
        self.table.emit(event, "BH-20")
        return exposed

    def expose(self, crosser: Player, fingerer: Player) -> None:
        """BH-20: the crosser pays a quarter; it loses its job, half its salary, and probability."""
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
        self.pay(fingerer, paid, "finger", "BH-20")

    def blame(self, fingerer: Player) -> None:
        """BH-21: the fingerer loses half its winnings to the pot, and part of salary and odds."""
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
        """BH-22 to BH-24: each crew member receives the winnings that it keeps, and its share."""
        if not self.crew:
            return
        straights = [member for member in self.crew if not member.crosses]
        crossers = [member for member in self.crew if member.crosses]
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
        for member in self.crew:
            if member.crosses and self.game.crossed is False:
                self.punish(member)
            self.receive(member, shares)

    def shares(self, straights: Sequence[Participant], crossers: Sequence[Participant]) -> Shares:
        """BH-22 to BH-24: return the share of each besides its own."""
        pot = self.game.pot
        if self.game.crossed is None:  # no cross
            return Shares("BH-22", split(pot, straights), 0)
        if not self.game.crossed:  # the cross failed
            return Shares("BH-24", split(winnings(crossers) + pot, straights), 0)
        unexposed = [crosser for crosser in crossers if not crosser.exposed]
        taken = split(winnings(straights), crossers)
        returned = (len(crossers) - len(unexposed)) * taken
        if unexposed:
            return Shares("BH-23", split(returned, straights), taken + split(pot, unexposed))
        return Shares("BH-23", split(returned + pot, straights), 0)

    def receive(self, member: Participant, shares: Shares) -> None:
        """BH-22 to BH-24: straights keep their winnings, or crossers if a cross succeeds."""
        if not member.crosses:
            received = shares.straight + (0 if self.game.crossed else member.winnings)
        elif not self.game.crossed:
            received = 0
        else:
            received = member.winnings + (0 if member.exposed else shares.crosser)
        member.winnings = 0
        self.pay(member, received, "share", shares.clause)

    def punish(self, crosser: Participant) -> None:
        """BH-24: a crosser loses its job, and half its salary unless BH-20 halved it already."""
        salary = crosser.salary if crosser.exposed else crosser.salary // 2
        self.move(crosser, "cross_failed", "BH-24", employed=0, salary=salary)

    # --- After the heist (BH-25 to BH-27) --------------------------------------------------------

    def hire(self) -> None:
        """BH-25: each unemployed player finds a job, better paid, with probability 1/20."""
        for player in self.players:
            label = f"game/{self.game.number}/hired/{player.number}"
            if not player.employed and self.table.dice.chance(label, 1, 20):
                salary = player.salary + player.salary // 20
                self.move(player, "hired", "BH-25", employed=1, salary=salary)

    def pay_salaries(self) -> None:
        """BH-25: pay the employed, except those that backed out or went all in."""
        for participant in self.order:
            if participant.employed and participant.action not in ("back out", "all in"):
                self.pay(participant, participant.salary, "paycheck", "BH-25")

    def pay_bribes(self) -> None:
        """BH-26: pay one credit per guard; as many guards leave as were not paid."""
        for player in self.players:
            left = player.credits - player.bribes
            self.pay(player, -player.bribes, "bribe", "BH-26")
            if left < 0:
                self.dismiss(player, -left)

    def dismiss(self, player: Player, unpaid: int) -> None:
        """BH-26: draw the guards that leave; each takes its bonus of the probability along."""
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
        """BH-27: pay 0.14 % on every account, rounded down."""
        for player in self.players:
            for bank, balance in enumerate(player.account):
                if interest := 14 * balance // 10_000:
                    self.move(player, "interest", "BH-27", bank, account=balance + interest)


def gain(heister: Participant, bank: int, stake: int) -> int:
    """BH-10, BH-12: return the gain on a stake, without the stake."""
    return heister.odds[bank] * stake // UNIT


def winnings(participants: Sequence[Participant]) -> int:
    """Return the sum of their winnings."""
    return sum(participant.winnings for participant in participants)


def split(amount: int, participants: Sequence[Participant]) -> int:
    """Return the share of each in ``amount``, rounded down; the remainder vanishes."""
    return amount // len(participants) if participants else 0
