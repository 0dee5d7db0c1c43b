"""Games of Coins played by script, turn by turn, from a seed that lays out what a test wants."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Any

from games.coins.rules import play
from games.table import ArgvCall, Ask, MatchTable, Reply
from schema import registry
from schema.dice import Dice
from tests.factories import Events, printed


def laid_out(seed: str, players: int) -> tuple[tuple[int, ...], int]:
    """Return the values that a seed gives: the turn order, and r of CN-2."""
    dice = Dice(seed)
    order = dice.shuffle("order", [str(seat) for seat in range(players)])
    return tuple(map(int, order)), dice.below("centre", players * players + 1)


@cache
def seed_for(order: tuple[int, ...], fewer: int | None) -> str:
    """The lowest seed that gives this turn order, and this r if one is wanted."""
    for n in count():
        seed = f"{n:064x}"
        found, r = laid_out(seed, len(order))
        if found == order and fewer in (None, r):
            return seed
    raise AssertionError("no end")


class Game:
    """A game in progress; ``ask`` is the question that waits for an answer, None at the end.

    ``order`` is the turn order; the centre begins with ``fewer`` coins than there can be at most.
    """

    def __init__(
        self, order: Sequence[int] = (0, 1), fewer: int | None = None, **settings: int
    ) -> None:
        self.events: Events = []
        self.clauses: list[str] = []
        self.states: list[dict[str, Any]] = []
        seed = seed_for(tuple(order), fewer)
        model = registry.card("coins").settings(settings)
        names = [f"player{seat}" for seat in range(len(order))]
        self.table: MatchTable[Any] = MatchTable(names, model, Dice(seed), self._record)
        self._rules = play(self.table)
        self.ask: Ask | None = None
        self._go_on(None)

    def _record(self, event: Any, clause: str) -> None:
        self.events.append(dict(event))
        self.clauses.append(clause)
        assert self.table.state
        self.states.append(self.table.state.snapshot())

    def _go_on(self, replies: list[Reply] | None) -> None:
        try:
            asked = self._rules.send(replies)
        except StopIteration:
            self.ask = None
        else:
            assert isinstance(asked, list)
            [self.ask] = asked

    def reply(self, reply: Reply) -> Game:
        """Answer the question that waits."""
        assert self.ask, "the game is over"
        self._go_on([reply])
        return self

    def play(self, *turns: str) -> Game:
        """Play several turns."""
        for actions in turns:
            self.reply(printed(actions))
        return self

    @property
    def told(self) -> str:
        """The argument that the bot whose turn it is gets."""
        assert self.ask
        assert isinstance(self.ask.observation, ArgvCall)
        [argument] = self.ask.args
        return argument

    @property
    def state(self) -> dict[str, Any]:
        """Return the state that a replay would show now."""
        return self.states[-1]

    @property
    def coins(self) -> tuple[int, list[int], list[int]]:
        """The centre, and the unflipped and the flipped coins by seat."""
        return self.state["centre"], self.state["unflipped"], self.state["flipped"]

    @property
    def points(self) -> list[int]:
        """Points by seat."""
        return list(self.state["points"])

    def of(self, type_: str) -> Events:
        """The events of a type."""
        return [event for event in self.events if event["type"] == type_]
