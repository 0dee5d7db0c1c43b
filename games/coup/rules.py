"""The rules of a match of Coup for two, versions ``coup/1`` and ``coup/2`` (RULES.md).

A turn is one line of the history. ``Tq'`` is a Tax (``T``) that was challenged (``q``) and cost the
owner an Assassin (``'``). The last symbol decides the next question (CP-5).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeGuard

from games.coup.cards import CLAIMS, DECK, GIVE_UP, GIVEN_UP_CARD, NAMES, numbered, symbols
from games.coup.events import (
    CardLost,
    CardReplaced,
    CardsExchanged,
    CardsOffered,
    Cause,
    CoinsMoved,
    Dealt,
    Loss,
    Settings,
)
from games.table import WHITE_SPACE, Answer, Ask, FileCall, MatchRules, MatchTable, Reply

Table = MatchTable[Settings]


@dataclass
class State:
    """The state of a match between two calls; ``hands`` and ``coins`` are by seat."""

    deck: str
    """The cards in the deck, the next one first."""
    hands: list[str]
    coins: list[int] = field(default_factory=lambda: [1, 1])
    history: str = ""
    calls: int = 0
    offered: str = ""
    """The two cards drawn for an Exchange that is not finished (CP-15)."""

    @property
    def caller(self) -> int:
        """The seat that is called: strictly in turn (CP-3)."""
        return self.calls % 2

    @property
    def line(self) -> str:
        """The symbols of the current turn so far (CP-4)."""
        return self.history[self.history.rfind("\n") + 1 :]

    @property
    def owner(self) -> int:
        """The seat that has the turn: it wrote the first symbol of the line."""
        return (self.calls - len(self.line)) % 2

    def write(self, action: str) -> None:
        """Add an action to the history, which completes a call (CP-3)."""
        self.history += action
        self.calls += 1

    def snapshot(self) -> dict[str, object]:
        """Return the state for display."""
        return {
            "calls": self.calls,
            "history": self.history,
            "line": self.line,
            "turn_of": self.owner,
            "caller": self.caller,
            "coins": list(self.coins),
            "hands": list(self.hands),
            "offered": self.offered,
            "deck": self.deck,
        }


def play(table: Table) -> MatchRules:
    """Play one match, from the deal to the result (CP-1 to CP-15, CP-17)."""
    state = deal(table)
    while state.calls < table.settings.max_calls:
        seat, line = state.caller, state.line
        name = question_name(line)
        if name == "exchange":
            offer_cards(table, state)
        legal = legal_actions(state, line)
        ask = Ask(seat, name, table.show(observation, state, legal), legal)
        [reply] = yield [ask]
        if not is_legal(reply, ask, state):
            table.reject(ask, reply, "CP-17", "forfeit")
            return finish(table, "forfeit", winner=1 - seat, clause="CP-17")
        action = added(reply)
        state.write(action)
        table.accept(ask, reply, "CP-5")
        take_effect(table, state, seat, line, action, reply)
        if "" in state.hands:
            return finish(table, "eliminated", winner=1 - state.hands.index(""), clause="CP-2")
    return finish(table, "drawn", winner=None, clause="CP-3")


def deal(table: Table) -> State:
    """CP-1: shuffle the deck, and deal two cards and one coin to each player."""
    deck = symbols(table.dice.shuffle("deck", numbered(DECK)))
    state = State(deck=deck[4:], hands=[deck[:2], deck[2:4]])
    table.state = state
    hands, coins = list(state.hands), list(state.coins)
    table.emit(Dealt(type="dealt", hands=hands, coins=coins, deck=state.deck), "CP-1")
    return state


def finish(table: Table, reason: str, winner: int | None, clause: str) -> None:
    """CP-2: the winner scores 1 point. CP-3: in a draw nobody scores."""
    scores = [int(seat == winner) for seat in range(2)]
    table.finish(reason, scores, [] if winner is None else [winner], clause)


# --- The question to the caller (CP-5, CP-16) ----------------------------------------------------


@lru_cache(1024)
def question_name(line: str) -> str:
    """CP-5: return the name of the question that follows the symbols of a turn."""
    match line[-1:]:
        case "":
            return "turn"
        case "F" | "E" | "T" | "S" | "A" | "C":
            return "response"
        case "a" | "c" | "d" | "s":
            return "block"
        case "q":
            return "proof"
        case card if card in NAMES:
            return "loss"
    return "exchange" if line == "Ep" or line.startswith("Eq~") else "close"


def legal_actions(state: State, line: str) -> tuple[str, ...]:
    """CP-5: return the actions that the table allows the caller, in its order."""
    match line[-1:]:
        case "":
            return turn_actions(state.coins[state.caller], state.coins[1 - state.caller])
        case "F":
            return ("d", "p")
        case "E" | "T":
            return ("p", "q")
        case "S":
            return ("a", "c", "p", "q")
        case "A":
            return ("s", "q", *give_ups(state))
        case "C":
            return give_ups(state)
        case "a" | "c" | "d" | "s":
            return ("q", "\n")
        case "q":
            claimed = CLAIMS[line[-2]]
            if claimed in state.hands[state.caller]:  # CP-7
                return (claimed,)
            return closing_give_ups(state)
        case card if card in NAMES:
            return closing_give_ups(state)
    return ("\n",)


def give_ups(state: State, closing: str = "") -> tuple[str, ...]:
    """Return the actions that give up a card of the caller, each followed by ``closing``."""
    return tuple([GIVE_UP[card] + closing for card in state.hands[state.caller]])


def closing_give_ups(state: State) -> tuple[str, ...]:
    """Return the actions that give up a card after a challenge; the owner's complete the turn."""
    return give_ups(state, "\n" if state.caller == state.owner else "")


@lru_cache(1024)
def turn_actions(own: int, other: int) -> tuple[str, ...]:
    """CP-5, CP-6: return the actions that can begin a turn, by the coins of both players."""
    if own >= 10:
        return ("C",)
    actions = ["I\n", "F", "E", "T"]
    if own >= 3:
        actions.append("A")
    if own >= 7:
        actions.append("C")
    if other >= 1:
        actions.append("S")
    return tuple(actions)


def observation(state: State, legal: tuple[str, ...]) -> FileCall:
    """CP-16: return the history, the other's coins, the caller's coins and cards, and ``legal``."""
    seat = state.caller
    cards = state.offered + state.hands[seat]
    coins = (str(state.coins[1 - seat]), str(state.coins[seat]))
    return FileCall(state.history, (*coins, cards, *legal))


def is_legal(reply: Reply, ask: Ask, state: State) -> TypeGuard[Answer]:
    """CP-17: return whether the bot added one legal action, and made a legal choice of cards."""
    if not isinstance(reply, Answer) or added(reply) not in ask.legal:
        return False
    return ask.name != "exchange" or is_choice(kept_cards(reply), state)


def added(answer: Answer) -> str:
    """Return the text that the bot added to the history, which no action equals if empty."""
    return answer.text("appended") or ""


def kept_cards(answer: Answer) -> str:
    """CP-15: return the standard output without the white space around it."""
    return (answer.text("output") or "").strip(WHITE_SPACE)


def is_choice(kept: str, state: State) -> bool:
    """CP-15: return whether ``kept`` has the size of the hand, and all its cards were shown."""
    hand = state.hands[state.caller]
    choices = state.offered + hand
    return len(kept) == len(hand) and all(kept.count(card) <= choices.count(card) for card in kept)


# --- Effects of an action (CP-8 to CP-15) --------------------------------------------------------


def take_effect(
    table: Table, state: State, seat: int, line: str, action: str, answer: Answer
) -> None:
    """Apply an action that was added to ``line``: pay, lose or replace a card, exchange, gain."""
    symbol = action[0]
    pay(table, state, line, action)
    if symbol in GIVEN_UP_CARD:
        lose_card(table, state, seat, line, GIVEN_UP_CARD[symbol])
    elif symbol in NAMES and line != "Eq":  # CP-13: an Ambassador stays for its own Exchange
        replace_card(table, state, seat, symbol)
    if state.offered:
        exchange_cards(table, state, seat, kept_cards(answer))
    if action.endswith("\n"):
        gain(table, state, seat, line + action)


def pay(table: Table, state: State, line: str, action: str) -> None:
    """CP-10, CP-11: the owner pays for a Coup or an Assassination."""
    if bill := price(line, action):
        cause, coins, clause = bill
        owner = (state.calls - 1 - len(line)) % 2  # `state.owner` is the next one after a newline
        move_coins(table, state, cause, owner, -coins, clause)


@lru_cache(1024)
def price(line: str, action: str) -> tuple[Cause, int, str] | None:
    """CP-10, CP-11: 7 coins for a Coup, and 3 for an Assassination once it is decided.

    Return the cause, the coins and the clause, if the action added to ``line`` costs any.
    """
    if line == "C":
        return "coup", 7, "CP-10"
    if (
        (line in ("A", "Aq^") and action in GIVEN_UP_CARD)  # the victim gives up a card
        or line + action == "As\n"  # the owner accepts the block
        or (line == "Asq" and action in GIVEN_UP_CARD)  # CP-12: the block was false
        or line == "Asq!"  # the block was challenged in vain
    ):
        return "assassination", 3, "CP-11"
    return None


def gain(table: Table, state: State, owner: int, turn: str) -> None:
    """CP-8, CP-9: give the owner the coins of a complete turn."""
    if revenue := gained(turn, state.coins[1 - owner]):
        cause, coins, clause = revenue
        move_coins(table, state, cause, owner, coins, clause)


@lru_cache(1024)
def gained(turn: str, other: int) -> tuple[Cause, int, str] | None:
    """CP-8, CP-9: 1 coin for Income, 2 for Foreign Aid, 3 for Tax; a Steal takes up to 2.

    Return the cause, the coins and the clause, if a complete turn brings its owner any. ``other``
    is the number of the other's coins.
    """
    if turn == "I\n":
        return "income", 1, "CP-8"
    if succeeded(turn):
        match turn[0]:
            case "F":
                return "foreign_aid", 2, "CP-9"
            case "T":
                return "tax", 3, "CP-9"
            case "S":
                return "steal", min(2, other), "CP-9"
    return None


def succeeded(turn: str) -> bool:
    """CP-9: return whether the action took effect, by the responses between it and the newline."""
    action, responses = turn[0], turn[1:-1]
    if responses == "p":  # passed
        return True
    if responses.startswith("q"):  # challenged: in vain if the claimed card was shown
        return responses[1] == CLAIMS[action]
    return responses[2:] in GIVEN_UP_CARD  # blocked: the challenge cost the other player a card


def move_coins(
    table: Table, state: State, cause: Cause, seat: int, amount: int, clause: str
) -> None:
    """Give ``amount`` coins to ``seat``: from the other in a Steal, else from the treasury."""
    change = [0, 0]
    change[seat] = amount
    state.coins[seat] += amount
    if cause == "steal":
        change[1 - seat] = -amount
        state.coins[1 - seat] -= amount
    coins = list(state.coins)
    table.emit(CoinsMoved(type="coins_moved", cause=cause, change=change, coins=coins), clause)


def lose_card(table: Table, state: State, seat: int, line: str, card: str) -> None:
    """CP-14: the seat loses ``card``. CP-12: some challenges cost the other card, too."""
    drop_card(table, state, seat, card, cause_of_loss(line), "CP-14")
    if line in ("Aq^", "Asq") and state.hands[seat]:
        drop_card(table, state, seat, state.hands[seat], "assassination", "CP-12")


def cause_of_loss(line: str) -> Loss:
    """Return why a card is given up, by the symbols before it."""
    match line[-1]:
        case "C":
            return "coup"
        case "A":
            return "assassination"
        case "q":
            return "false_claim"
    return "wrong_challenge"


def drop_card(table: Table, state: State, seat: int, card: str, cause: Loss, clause: str) -> None:
    """CP-16: take ``card`` out of a hand at its first position."""
    state.hands[seat] = state.hands[seat].replace(card, "", 1)
    hand = state.hands[seat]
    table.emit(CardLost(type="card_lost", seat=seat, cause=cause, card=card, hand=hand), clause)


def replace_card(table: Table, state: State, seat: int, card: str) -> None:
    """CP-13: return ``card``, shuffle, draw. CP-16: the new card is the last of the hand."""
    hand = state.hands[seat].replace(card, "", 1)
    shuffle_in(table, state, card)
    drawn, state.deck = state.deck[0], state.deck[1:]
    state.hands[seat] = hand + drawn
    table.emit(
        CardReplaced(
            type="card_replaced",
            seat=seat,
            card=card,
            drawn=drawn,
            hand=state.hands[seat],
            deck=state.deck,
        ),
        "CP-13",
    )


def offer_cards(table: Table, state: State) -> None:
    """CP-15: draw two cards for the owner."""
    state.offered, state.deck = state.deck[:2], state.deck[2:]
    seat, drawn, deck = state.caller, state.offered, state.deck
    table.emit(CardsOffered(type="cards_offered", seat=seat, drawn=drawn, deck=deck), "CP-15")


def exchange_cards(table: Table, state: State, seat: int, kept: str) -> None:
    """CP-15: the owner keeps the cards that it wrote; return the two others, and shuffle."""
    returned = state.offered + state.hands[seat]
    for card in kept:
        returned = returned.replace(card, "", 1)
    state.hands[seat], state.offered = kept, ""
    shuffle_in(table, state, returned)
    table.emit(
        CardsExchanged(
            type="cards_exchanged", seat=seat, returned=returned, hand=kept, deck=state.deck
        ),
        "CP-15",
    )


def shuffle_in(table: Table, state: State, cards: str) -> None:
    """Return ``cards`` to the deck and shuffle it, with the die of the call (from 1)."""
    deck = table.dice.shuffle(f"call/{state.calls}/shuffle", numbered(state.deck + cards))
    state.deck = symbols(deck)
