"""The state of a match of Bank Heist: participants, and the current game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from games.bank_heist.events import Action

UNIT = 1_000_000_000
"""Probabilities and odds are in billionths."""

STAKE = 240
"""Credits and salary at the start, and the loan of a heister all in (BH-2, BH-12)."""


class Bank(NamedTuple):
    """A row of the table of BH-7, in billionths."""

    name: str
    probability: int
    odds: int


BANKS = (
    Bank("Municipal", 540_000_000, 800_000_000),
    Bank("City", 488_000_000, 1_100_000_000),
    Bank("State", 425_000_000, 1_300_000_000),
    Bank("National", 387_000_000, 1_650_000_000),
    Bank("Federal Reserve", 324_000_000, 1_950_000_000),
)


def bank_for(heisters: int, total: int) -> int:
    """BH-7: return the bank by its index; the thresholds are 20 apart."""
    return min((heisters + total // 100_000) // 20, len(BANKS) - 1)


@dataclass(slots=True)
class Participant:
    """A player or a member of the rabble, as the rulebook's terms have it.

    ``number`` is the seat, or the member's number; ``key`` is its item in shuffles: ``3``, ``r17``.
    Players are of the class :class:`Player`; a participant of this class is a member of the rabble.
    """

    number: int
    key: str
    credits: int = STAKE
    salary: int = STAKE
    employed: int = 1
    probability: list[int] = field(default_factory=lambda: [bank.probability for bank in BANKS])
    odds: list[int] = field(default_factory=lambda: [bank.odds for bank in BANKS])
    # The fields below last for one game.
    bet: int = 0
    action: Action | None = None
    succeeded: bool = False
    winnings: int = 0
    exposed: bool = False

    def begin(self) -> None:
        """Reset the fields that last for one game."""
        self.bet, self.action, self.winnings = 0, None, 0
        self.succeeded = self.exposed = False

    @property
    def stays(self) -> bool:
        """Whether it is *staying*: a heister that did not back out (BH-11)."""
        return self.bet > 0 and self.action != "back out"

    @property
    def crosses(self) -> bool:
        """Whether it is a *crosser* (BH-19)."""
        return self.action == "double cross"

    @property
    def fate(self) -> str:
        """The result of the heist as a symbol of the log (``Fates`` in events.py)."""
        if not self.bet:
            return "."
        if self.action == "back out":
            return "o"
        return "s" if self.succeeded else "f"


@dataclass(slots=True)
class Player(Participant):
    """A *player* of the rulebook: a participant with a bot at a seat of the match."""

    account: list[int] = field(default_factory=lambda: [0] * len(BANKS))
    guards: list[int] = field(default_factory=lambda: [0] * len(BANKS))

    @property
    def bribes(self) -> int:
        """Credits that its guards cost per game (BH-26)."""
        return sum(self.guards)

    def snapshot(self) -> dict[str, object]:
        """Return the player's state for display."""
        return {
            "seat": self.number,
            "credits": self.credits,
            "salary": self.salary,
            "employed": self.employed,
            "account": list(self.account),
            "guards": list(self.guards),
            "probability": list(self.probability),
            "odds": list(self.odds),
            "bet": self.bet,
            "action": self.action,
            "succeeded": self.succeeded,
            "winnings": self.winnings,
            "exposed": self.exposed,
        }


@dataclass(slots=True)
class Game:
    """One game of a match: its participants in their orders, and the decisions so far."""

    number: int = 0
    rabble: list[Participant] = field(default_factory=list)
    first: list[Participant] = field(default_factory=list)
    second: list[Participant] = field(default_factory=list)
    """The participants in the order of round 1, the heisters in that of round 2 (BH-4)."""
    round: int = 1
    decided: int = 0
    heisters: int = 0
    total: int = 0
    bank: int = 0
    """The bank that the bets so far choose (BH-7)."""
    backed_out: int = 0
    crossed: bool | None = None
    """Whether the cross succeeded; None without one (BH-19)."""
    pot: int = 0
    """The losses of false fingers, L (BH-21)."""

    @property
    def staying(self) -> int:
        """Number of heisters that did not back out."""
        return self.heisters - self.backed_out

    @property
    def crew(self) -> list[Participant]:
        """The staying heisters that did not go all in, in the order of round 2."""
        outside = ("back out", "all in")
        return [heister for heister in self.second if heister.action not in outside]

    @property
    def order(self) -> list[Participant]:
        """BH-13: the heisters in the order of round 2, then the others in that of round 1."""
        return self.second + [participant for participant in self.first if not participant.bet]

    def take_bet(self, participant: Participant, bet: int) -> None:
        """Apply a decision of round 1."""
        participant.bet = bet
        self.decided += 1
        if bet:
            self.heisters += 1
            self.total += bet
            self.bank = bank_for(self.heisters, self.total)

    def take_action(self, participant: Participant, action: Action) -> None:
        """Apply a decision of round 2."""
        participant.action = action
        self.decided += 1
        self.backed_out += action == "back out"


@dataclass
class State:
    """The state of a match between two events."""

    players: list[Player]
    rabble: list[Participant]
    games: int
    game: Game = field(default_factory=Game)

    @classmethod
    def of(cls, players: int, rabble: int, games: int) -> State:
        """BH-2: return the state at the start of a match."""
        return cls(
            [Player(seat, str(seat)) for seat in range(players)],
            [Participant(number, f"r{number}") for number in range(rabble)],
            games,
        )

    def snapshot(self) -> dict[str, object]:
        """Return the state for display; the rabble is summed up."""
        game = self.game
        return {
            "games": self.games,
            "game": game.number,
            "participants": len(game.first),
            "round": game.round,
            "decided": game.decided,
            "heisters": game.heisters,
            "total": game.total,
            "bank": game.bank,
            "backed_out": game.backed_out,
            "crossed": game.crossed,
            "pot": game.pot,
            "players": [player.snapshot() for player in self.players],
            "rabble": {"drawn": len(game.rabble), "credits": self.rabble_credits},
        }

    @property
    def rabble_credits(self) -> int:
        """Credits of the whole rabble."""
        return sum([member.credits for member in self.rabble])
