"""Games of Coup played by script: the hands and coins that a test wants, then turn by turn.

The rules are driven as referee and replay drive them: they ask, and get an answer. Hands come from
a seed whose deal fits, coins from turns played before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import count
from typing import Any

from games.coup.cards import DECK, NAMES, numbered, symbols
from games.coup.rules import play
from games.table import Ask, MatchTable, Reply
from schema import registry
from schema.dice import Dice
from tests.factories import Events, answer

GAINS = {0: ("F", "d", "\n"), 1: ("I\n",), 2: ("F", "p", "\n"), 3: ("T", "p", "\n")}
"""Turns that bring so many coins, without a challenge; each passes the turn on."""


@cache
def seed_for(first: str, second: str) -> str:
    """The lowest seed that deals these hands, in this order of cards."""
    items = numbered(DECK)
    for n in count():
        dealt = symbols(Dice(f"{n:064x}").shuffle("deck", items)[:4])
        if dealt == first + second:
            return f"{n:064x}"
    raise AssertionError("no end")


def lead_up(first: int, second: int) -> Iterator[str]:
    """Answers after which it is the first player's turn, with these coins."""
    wanted = [first - 1, second - 1]
    while any(wanted):
        for seat in range(2):
            gain = wanted[seat] % 3 or min(3, wanted[seat])  # small ones first: 10 coins force
            wanted[seat] -= gain
            yield from GAINS[gain]


def calls(line: str) -> list[str]:
    """The calls that write ``line``: the owner's, the other's, and so on in turn."""
    found: list[str] = []
    for symbol in line:
        if symbol == "\n" and len(found) % 2 == 1:
            found[-1] += symbol
        else:
            found.append(symbol)
    return found


class Game:
    """A game in progress; ``ask`` is the question that waits for an answer, None at the end."""

    def __init__(
        self,
        first: str = "~^",
        second: str = "*!",
        coins: tuple[int, int] = (1, 1),
        seed: str = "",
        **settings: int,
    ) -> None:
        self.events: Events = []
        self.clauses: list[str] = []
        self.seed = seed or seed_for(first, second)
        model = registry.card("coup").settings(settings)
        self.table: MatchTable[Any] = MatchTable(
            ("first", "second"), model, Dice(self.seed), self._record
        )
        self._rules = play(self.table)
        begun: Any = next(self._rules)
        self.ask: Ask | None = begun[0]
        self.say(*lead_up(*coins))

    def _record(self, event: Any, clause: str) -> None:
        self.events.append(dict(event))
        self.clauses.append(clause)

    @property
    def state(self) -> dict[str, Any]:
        """Return the state that a replay would show now."""
        assert self.table.state
        return self.table.state.snapshot()

    @property
    def coins(self) -> list[int]:
        """Coins by seat."""
        return list(self.state["coins"])

    @property
    def hands(self) -> list[str]:
        """Hands by seat."""
        return list(self.state["hands"])

    @property
    def history(self) -> str:
        """Everything written so far."""
        return str(self.state["history"])

    @property
    def legal(self) -> tuple[str, ...]:
        """Return the legal answers; none when the game is over."""
        return self.ask.legal if self.ask else ()

    def reply(self, reply: Reply) -> Game:
        """Answer the question that waits."""
        assert self.ask, "the game is over"
        try:
            asked: Any = self._rules.send([reply])
            [self.ask] = asked
        except StopIteration:
            self.ask = None
        return self

    def say(self, *answers: str) -> Game:
        """Answer several questions; what follows a colon goes to standard output."""
        for one in answers:
            appended, _, output = one.partition(":")
            self.reply(answer(appended, output))
        return self

    def turn(self, line: str, keep: str = "") -> Game:
        """Play a line of the history; ``keep`` is the choice of an Exchange."""
        before = self.history
        *rest, last = calls(line)
        self.say(*rest, f"{last}:{keep}" if keep else last)
        assert self.history == before + line
        return self

    def since(self, seq: int) -> list[str]:
        """The types of the events from number ``seq`` on, without the answers."""
        return [event["type"] for event in self.events[seq:] if event["type"] != "answered"]

    def last(self, type_: str) -> dict[str, Any]:
        """The last event of a type."""
        return next(event for event in reversed(self.events) if event["type"] == type_)


def turn_by_turn(
    begin: Callable[[], Game], replies: Callable[[Game, Ask], Iterable[str]]
) -> Iterator[tuple[str, Game]]:
    """The game at each call of a turn from a position, and after it, with the turn's text so far.

    ``replies`` are the answers to try at a call.
    """
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        answers = waiting.pop()
        game = begin()
        before = len(game.history)
        game.say(*answers)
        line = game.history[before:]
        if game.ask and not line.endswith("\n"):
            waiting += ((*answers, reply) for reply in replies(game, game.ask))
        yield line, game


def without(hand: str, *cards: str) -> str:
    """A hand after ``cards`` left it, each at its first place."""
    for card in cards:
        assert card in hand
        hand = hand.replace(card, "", 1)
    return hand


def everything(cards: str) -> str:
    """Cards sorted, to compare what is there and not its order."""
    return "".join(sorted(cards, key=list(NAMES).index))
