"""The rules of Coins, version ``coins/1``; the clauses (CN-…) are in RULES.md."""

from __future__ import annotations

from dataclasses import dataclass

from games.coins.events import Acted, Counted, LaidOut, Settings
from games.standings import winners
from games.table import WHITE_SPACE, Answer, ArgvCall, Ask, Fault, MatchRules, MatchTable, Reply

Table = MatchTable[Settings]

ACTIONS = "N123ABCXYZFURT"
LEGAL = (f"three of {ACTIONS}",)
NO_ACTIONS = "NNN"
"""The actions of a bot that failed (CN-7, CN-8)."""

COINS = {"1": 1, "2": 2, "3": 3, "A": 1, "B": 2, "C": 3, "X": 1, "Y": 2, "Z": 3}
"""Number of coins that an action takes, puts back or removes (CN-4)."""


@dataclass
class Pile:
    """The coins of one player."""

    unflipped: int = 0
    flipped: int = 0

    @property
    def worth(self) -> int:
        """Points of the pile for a player who receives it, and at the end (CN-4, CN-5)."""
        return 2 * self.flipped - self.unflipped


@dataclass
class State:
    """The state of a game between two turns; ``piles`` and ``points`` are by seat."""

    order: list[int]
    """The seats in turn order (CN-1)."""
    centre: int
    piles: list[Pile]
    points: list[int]
    seat: int
    """The seat that has the turn."""
    round: int = 1

    @property
    def unflipped(self) -> list[int]:
        """Unflipped coins, by seat."""
        return [pile.unflipped for pile in self.piles]

    @property
    def flipped(self) -> list[int]:
        """Flipped coins, by seat."""
        return [pile.flipped for pile in self.piles]

    def snapshot(self) -> dict[str, object]:
        """Return the state for display."""
        return {
            "round": self.round,
            "turn_of": self.seat,
            "order": list(self.order),
            "centre": self.centre,
            "unflipped": self.unflipped,
            "flipped": self.flipped,
            "points": list(self.points),
        }


def play(table: Table) -> MatchRules:
    """Play one game, from the draw of the turn order to the final count (CN-1 to CN-8)."""
    state = lay_out(table)
    for number in range(1, table.settings.rounds + 1):
        for seat in state.order:
            state.round, state.seat = number, seat
            ask = Ask(seat, "turn", table.show(observation, state), LEGAL)
            [reply] = yield [ask]
            actions = judge(table, ask, reply)
            for action in actions:
                carry_out(state, action)
            table.emit(acted(state, actions), "CN-4")
            if state.centre == 0:
                return finish(table, state, "centre_empty")
    return finish(table, state, "rounds_played")


def lay_out(table: Table) -> State:
    """CN-1: draw the turn order. CN-2: put 2^n + 10·n − r coins into the centre."""
    players = len(table.players)
    seats = table.dice.shuffle("order", [str(seat) for seat in range(players)])
    centre = 2**players + 10 * players - table.dice.below("centre", players**2 + 1)
    order = [int(seat) for seat in seats]
    state = State(order, centre, [Pile() for _ in order], [0] * players, seat=order[0])
    table.state = state
    table.emit(LaidOut(type="laid_out", order=list(order), centre=centre), "CN-2")
    return state


def finish(table: Table, state: State, reason: str) -> None:
    """CN-5: count each coin again; the highest total wins."""
    for seat, pile in enumerate(state.piles):
        state.points[seat] += pile.worth
    table.emit(Counted(type="counted", points=list(state.points)), "CN-5")
    table.finish(reason, state.points, winners(state.points), "CN-5")


# --- Question and answer (CN-6 to CN-8) ----------------------------------------------------------


def observation(state: State) -> ArgvCall:
    """CN-6: return the call of a bot, with one argument."""
    return ArgvCall((situation(state),))


def situation(state: State) -> str:
    """CN-6: return the only argument of a bot."""
    players = (
        f"{seat}_{state.points[seat]}_{state.piles[seat].flipped}_{state.piles[seat].unflipped}"
        for seat in state.order
    )
    return ";".join((f"{state.round};{state.seat};{state.centre}", *players))


def judge(table: Table, ask: Ask, reply: Reply) -> str:
    """CN-7, CN-8: record the answer or the fault, and return the three actions that count."""
    if isinstance(reply, Fault):
        clause = "CN-8" if reply.kind == "timeout" else "CN-7"
        table.reject(ask, reply, clause, NO_ACTIONS)
        return NO_ACTIONS
    actions = printed(reply)
    if len(actions) != 3 or not all(action in ACTIONS for action in actions):
        table.reject(ask, reply, "CN-7", NO_ACTIONS)
        return NO_ACTIONS
    table.accept(ask, reply, "CN-7")
    return actions


def printed(answer: Answer) -> str:
    """CN-7: return the output of a bot without the white space around it."""
    return (answer.text("output") or "").strip(WHITE_SPACE)


# --- Effects of an action (CN-4) -----------------------------------------------------------------


def carry_out(state: State, action: str) -> None:
    """CN-4: carry out one action; where too few coins are left, it moves those."""
    seat, pile = state.seat, state.piles[state.seat]
    match action:
        case "1" | "2" | "3":
            coins = min(COINS[action], state.centre)
            state.centre -= coins
            pile.unflipped += coins
            state.points[seat] -= coins
        case "A" | "B" | "C":
            coins = min(COINS[action], pile.unflipped)
            pile.unflipped -= coins
            state.centre += coins
            state.points[seat] += coins
        case "X" | "Y" | "Z":
            pile.unflipped -= min(COINS[action], pile.unflipped)
        case "F" if pile.unflipped:
            pile.unflipped -= 1
            pile.flipped += 1
            state.points[seat] += 2
        case "U" if pile.flipped:
            pile.flipped -= 1
            pile.unflipped += 1
            state.points[seat] -= 2
        case "R":
            pass_piles(state, givers=state.order[1:] + state.order[:1])
        case "T":
            pass_piles(state, givers=state.order[-1:] + state.order[:-1])


def pass_piles(state: State, givers: list[int]) -> None:
    """CN-4: give each player, in turn order, the whole pile of a giver, and its points."""
    piles = [state.piles[giver] for giver in givers]
    for seat, pile in zip(state.order, piles, strict=True):
        state.piles[seat] = pile
        state.points[seat] += pile.worth


def acted(state: State, actions: str) -> Acted:
    """Return the event of the turn just played."""
    return Acted(
        type="acted",
        round=state.round,
        seat=state.seat,
        actions=actions,
        centre=state.centre,
        unflipped=state.unflipped,
        flipped=state.flipped,
        points=list(state.points),
    )
