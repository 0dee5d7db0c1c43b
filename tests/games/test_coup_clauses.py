"""The clauses of Coup's rulebook, CP-1 to CP-17, one by one in small games."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.coup.cards import DECK, GIVE_UP
from games.table import Answer, Fault, FileCall
from schema.dice import Dice
from tests.factories import SEED
from tests.games.coup_games import Game, everything, lead_up, without

BLOCKS = (("F", "d", "$"), ("S", "a", "~"), ("S", "c", "*"))
"""An action, a block of it, and the card that blocks; Assassination has tests of its own."""


NAMES = {"~": "Ambassador", "^": "Assassin", "*": "Captain", "!": "Contessa", "$": "Duke"}


def in_order(seed: str, label: str, cards: str) -> str:
    """``cards`` in the order of a die, numbered as the rulebook has it: Duke1, Duke2, …"""
    items = {
        f"{name}{n}": card for card, name in NAMES.items() for n in range(1, 1 + cards.count(card))
    }
    return "".join(items[item] for item in Dice(seed).shuffle(label, list(items)))


# --- CP-1 to CP-3: setup, goal, calls ------------------------------------------------------------


def test_cp_1_the_first_four_cards_are_dealt_and_each_has_a_coin() -> None:
    """The first two cards of the shuffled deck go to the first player, the next to the second."""
    deck = in_order(SEED, "deck", "~~~^^^***!!!$$$")
    assert Game(seed=SEED).events == [
        {"type": "dealt", "hands": [deck[:2], deck[2:4]], "coins": [1, 1], "deck": deck[4:]}
    ]


def test_cp_2_the_game_ends_with_the_action_that_takes_the_last_card() -> None:
    """A player without cards is out at once: no question, effect or event follows."""
    game = Game("~^", "*!", coins=(1, 1)).turn("Tq'\n").turn("I\n").say("T", "q", "_\n")
    assert game.ask is None
    assert game.history.endswith("I\nTq_\n")
    assert game.events[-1] == {
        "type": "match_finished",
        "reason": "eliminated",
        "scores": [0, 1],
        "winners": [1],
    }
    assert game.clauses[-1] == "CP-2"


def test_cp_2_the_line_may_stay_unfinished() -> None:
    """A Coup against the last card ends the game before the line is closed."""
    game = Game("~^", "*!", coins=(7, 1)).turn("Tq'\n").turn("Tq<\n").say("C", "=")
    assert game.ask is None
    assert game.history.endswith("C=")
    assert game.events[-1]["scores"] == [1, 0]


def test_cp_2_an_action_whose_owner_is_out_brings_nothing() -> None:
    """A false Tax that costs the last card brings no coins."""
    game = Game().turn("Tq'\n").turn("I\n")
    before = game.coins
    game.say("T", "q", "_\n")
    assert game.coins == before


def test_cp_2_a_steal_from_who_is_out_brings_nothing() -> None:
    """If a player loses its last card to a failed challenge, the action has no effect."""
    game = Game("*^", "$!").turn("I\n").turn("Sq0\n").turn("I\n").turn("I\n")
    game.say("S", "q", "*")
    before = game.coins
    assert game.say("=").ask is None
    assert game.coins == before
    assert game.history.endswith("Sq*=")


def test_cp_3_players_are_called_in_turn() -> None:
    """Every call is followed by one of the other player, also from line to line."""
    game = Game("*^", "$!", coins=(3, 3)).turn("Fdq$'\n").turn("I\n").turn("Sa\n")
    seats = [event["seat"] for event in game.events if event["type"] == "answered"]
    assert seats == [n % 2 for n in range(len(seats))]


def blocked_forever(max_calls: int) -> Game:
    """A game to its end in which every turn is a Foreign Aid that is blocked."""
    game = Game(max_calls=max_calls)
    while game.ask:
        game.say(next(action for action in ("F", "d", "\n") if action in game.legal))
    return game


@pytest.mark.parametrize("calls", [1, 2, 3, 7, 9])
def test_cp_3_a_game_is_drawn_after_max_calls(calls: int) -> None:
    """After so many calls without a winner nobody scores, even in the middle of a line."""
    game = blocked_forever(calls)
    answered = [event for event in game.events if event["type"] == "answered"]
    assert len(answered) == calls
    assert game.events[-1] == {
        "type": "match_finished",
        "reason": "drawn",
        "scores": [0, 0],
        "winners": [],
    }
    assert game.clauses[-1] == "CP-3"


def test_cp_3_the_last_call_may_still_win() -> None:
    """A win in the very last call is a win, not a draw."""
    game = Game(max_calls=7).turn("Tq'\n").turn("I\n").say("T", "q", "_\n")
    assert game.events[-1]["reason"] == "eliminated"


def test_cp_3_there_are_200_calls_unless_the_contest_says_otherwise() -> None:
    """By default, two players that block everything draw after 200 calls."""
    game = Game()
    while game.ask:
        game.say(next(action for action in ("F", "d", "\n") if action in game.legal))
    answered = [event for event in game.events if event["type"] == "answered"]
    assert len(answered) == 200


# --- CP-4 to CP-7: what may be added -------------------------------------------------------------


def test_cp_4_the_history_is_one_line_a_turn() -> None:
    """The bot finds every turn so far as a line, and its own begins after a newline."""
    game = Game("*^", "!$").turn("I\n").turn("Fp\n").turn("Sc\n")
    assert game.ask
    assert isinstance(game.ask.observation, FileCall)
    assert game.ask.observation.history == "I\nFp\nSc\n"
    assert game.ask.name == "turn"


TABLE = (
    ("", "turn", ("I\n", "F", "E", "T", "S")),
    ("F", "response", ("d", "p")),
    ("E", "response", ("p", "q")),
    ("T", "response", ("p", "q")),
    ("S", "response", ("a", "c", "p", "q")),
    ("A", "response", ("s", "q", "0", "<")),
    ("C", "response", ("0", "<")),
    ("Fd", "block", ("q", "\n")),
    ("Sa", "block", ("q", "\n")),
    ("Sc", "block", ("q", "\n")),
    ("As", "block", ("q", "\n")),
    ("Eq", "proof", ("~",)),
    ("Tq", "proof", ("_\n", "'\n")),
    ("Aq", "proof", ("^",)),
    ("Sq", "proof", ("_\n", "'\n")),
    ("Fdq", "proof", ("$",)),
    ("Saq", "proof", ("0", "<")),
    ("Scq", "proof", ("*",)),
    ("Asq", "proof", ("0", "<")),
    ("Eq~", "loss", ("0", "<")),
    ("Aq^", "loss", ("0", "<")),
    ("Fdq$", "loss", ("_\n", "'\n")),
    ("Scq*", "loss", ("_\n", "'\n")),
    ("Fp", "close", ("\n",)),
    ("Tp", "close", ("\n",)),
    ("Sp", "close", ("\n",)),
    ("A<", "close", ("\n",)),
    ("C<", "close", ("\n",)),
    ("Saq<", "close", ("\n",)),
    ("Ep", "exchange", ("\n",)),
    ("Eq~<", "exchange", ("\n",)),
)


@pytest.mark.parametrize(("line", "name", "legal"), TABLE, ids=[repr(row[0]) for row in TABLE])
def test_cp_5_the_last_symbol_decides(line: str, name: str, legal: tuple[str, ...]) -> None:
    """Each row of the table has the seat, the question, and the legal answers in their order."""
    coins = (3, 1) if line[:1] == "A" else (7, 1) if line[:1] == "C" else (1, 1)
    game = Game("~^", "$*", coins=coins).say(*line)
    assert game.ask
    assert (game.ask.seat, game.ask.name, game.ask.legal) == (len(line) % 2, name, legal)


@pytest.mark.parametrize(
    ("line", "legal"), [("Tq$", ("'", "=")), ("Tq$'", ("\n",)), ("Sq*", ("'", "="))]
)
def test_cp_5_an_honest_action_costs_the_challenger_a_card(
    line: str, legal: tuple[str, ...]
) -> None:
    """After a proven Tax or Steal the challenger gives up a card, and the owner closes."""
    game = Game("$*", "^!").say(*line)
    assert game.legal == legal


def test_cp_5_two_equal_cards_are_listed_twice() -> None:
    """Give-up symbols come in hand order, once per card."""
    assert Game("~^", "!!", coins=(7, 1)).say("C").legal == ("=", "=")
    assert Game("~^", "!!").say("S", "c", "q").legal == ("=", "=")
    assert Game("^^", "!*").say("T", "q").legal == ("'\n", "'\n")


@pytest.mark.parametrize("own", range(1, 13))
@pytest.mark.parametrize("theirs", [1, 4])
def test_cp_5_coins_decide_how_a_turn_may_begin(own: int, theirs: int) -> None:
    """An Assassination takes 3 coins, a Coup 7, a Steal one of the other; with 10 it is a Coup."""
    coup_only = own >= 10
    expected = [] if coup_only else ["I\n", "F", "E", "T"]
    expected += ["A"] if own >= 3 and not coup_only else []
    expected += ["C"] if own >= 7 else []
    expected += ["S"] if not coup_only else []
    assert Game("~^", "*!", coins=(own, theirs)).legal == tuple(expected)


def test_cp_5_nothing_is_stolen_from_the_penniless() -> None:
    """A player without coins cannot be stolen from."""
    game = Game("*^", "$!").turn("Sp\n").turn("Fd\n")
    assert game.coins == [2, 0]
    assert game.legal == ("I\n", "F", "E", "T")


@pytest.mark.parametrize("own", [10, 11, 12])
def test_cp_6_with_ten_coins_it_must_be_a_coup(own: int) -> None:
    """From 10 coins on a Coup is the only way to begin a turn, and anything else forfeits."""
    game = Game("~^", "*!", coins=(own, 1))
    assert game.legal == ("C",)
    assert game.say("I\n").events[-1]["reason"] == "forfeit"


@pytest.mark.parametrize("claim", [("E", "~"), ("T", "$"), ("A", "^"), ("S", "*")])
def test_cp_7_who_holds_the_claimed_card_must_show_it(claim: tuple[str, str]) -> None:
    """With the claimed card in hand, at either place, showing it is the only answer."""
    action, card = claim
    other = "!"
    for hand in (card + other, other + card, card + card):
        game = Game(hand, "*$" if card != "*" else "$~", coins=(3, 1)).say(action, "q")
        assert game.legal == (card,)
    game = Game("!!", "*$", coins=(3, 1)).say(action, "q")
    assert game.legal == ("=\n", "=\n")


@pytest.mark.parametrize("block", [*BLOCKS, ("A", "s", "!")])
def test_cp_7_who_holds_the_blocking_card_must_show_it(block: tuple[str, str, str]) -> None:
    """So must who blocked, and it gives up a card, without a newline, only if it lied."""
    action, symbol, card = block
    for hand in (card + "^", "^" + card):
        assert Game("~~", hand, coins=(3, 1)).say(action, symbol, "q").legal == (card,)
    assert Game("~~", "^^", coins=(3, 1)).say(action, symbol, "q").legal == ("'", "'")


def test_cp_7_a_false_block_never_costs_the_card_that_was_claimed() -> None:
    """A Duke given up to the challenge of a Duke would be a show; giving it up forfeits."""
    game = Game("~^", "$!").say("F", "d", "q", "0")
    assert game.events[-2]["type"] == "fault"


# --- CP-8 and CP-9: what actions bring -----------------------------------------------------------


def test_cp_8_income_brings_a_coin_at_once() -> None:
    """Income is one call, and the coin is there before the other is asked."""
    game = Game().say("I\n")
    assert game.coins == [2, 1]
    assert game.events[-1] == {
        "type": "coins_moved",
        "cause": "income",
        "change": [1, 0],
        "coins": [2, 1],
    }
    assert game.clauses[-1] == "CP-8"


@pytest.mark.parametrize(
    ("action", "cause", "change"),
    [("F", "foreign_aid", [2, 0]), ("T", "tax", [3, 0]), ("S", "steal", [2, -2])],
)
def test_cp_9_a_passed_action_brings_coins_when_it_is_closed(
    action: str, cause: str, change: list[int]
) -> None:
    """Coins move at the closing newline, not before."""
    game = Game("~^", "*!", coins=(2, 5)).say(action, "p")
    assert game.coins == [2, 5]
    game.say("\n")
    assert game.coins == [2 + change[0], 5 + change[1]]
    assert game.last("coins_moved")["cause"] == cause
    assert game.last("coins_moved")["change"] == change
    assert game.clauses[-1] == "CP-9"


@pytest.mark.parametrize(
    ("line", "hands", "gain"),
    [
        ("Fd\n", ("~^", "*!"), [0, 0]),
        ("Fdq$'\n", ("~^", "$!"), [0, 0]),
        ("Fdq<\n", ("~^", "*!"), [2, 0]),
        ("Tq_\n", ("~^", "*!"), [0, 0]),
        ("Tq$<\n", ("$^", "*!"), [3, 0]),
        ("Sa\n", ("~^", "*!"), [0, 0]),
        ("Sc\n", ("~^", "*!"), [0, 0]),
        ("Saq~'\n", ("!^", "~$"), [0, 0]),
        ("Saq<\n", ("~^", "*!"), [2, -2]),
        ("Scq*'\n", ("~^", "*!"), [0, 0]),
        ("Scq=\n", ("~^", "~!"), [2, -2]),
        ("Sq_\n", ("~^", "*!"), [0, 0]),
        ("Sq*=\n", ("*^", "$!"), [2, -2]),
    ],
)
def test_cp_9_an_action_takes_effect_or_not(
    line: str, hands: tuple[str, str], gain: list[int]
) -> None:
    """An action counts if it was passed, challenged in vain, or its block was found false."""
    game = Game(*hands, coins=(4, 5)).turn(line)
    assert game.coins == [4 + gain[0], 5 + gain[1]]


@pytest.mark.parametrize(("theirs", "moved"), [(1, 1), (2, 2), (3, 2)])
def test_cp_9_a_steal_takes_what_there_is_up_to_two(theirs: int, moved: int) -> None:
    """A Steal moves two coins, or the last one."""
    game = Game("*^", "$!", coins=(1, theirs)).turn("Sp\n")
    assert game.coins == [1 + moved, theirs - moved]
    assert game.last("coins_moved")["change"] == [moved, -moved]


def test_cp_9_the_second_player_gains_on_its_own_side() -> None:
    """Coins go to the owner of the turn, in either seat."""
    game = Game(coins=(3, 3)).turn("I\n").turn("Sp\n")
    assert game.coins == [2, 5]
    assert game.last("coins_moved")["change"] == [-2, 2]


# --- CP-10 to CP-12: what actions cost -----------------------------------------------------------


def test_cp_10_a_coup_is_paid_when_the_victim_gives_up_its_card() -> None:
    """The 7 coins go with the victim's answer, before the card."""
    game = Game("~^", "*!", coins=(8, 1)).say("C")
    assert game.coins == [8, 1]
    seq = len(game.events)
    game.say("<")
    assert (game.coins, game.hands) == ([1, 1], ["~^", "!"])
    assert game.since(seq) == ["coins_moved", "card_lost"]
    assert game.last("coins_moved")["cause"] == "coup"
    assert game.last("card_lost") == {
        "type": "card_lost",
        "seat": 1,
        "cause": "coup",
        "card": "*",
        "hand": "!",
    }
    assert game.clauses[-2:] == ["CP-10", "CP-14"]
    seq = len(game.events)
    assert game.say("\n").since(seq) == []


def test_cp_10_a_coup_that_ends_the_game_is_paid() -> None:
    """Also the last card is paid for."""
    game = Game("~^", "*!", coins=(7, 1)).turn("Tq'\n").turn("Tq<\n").say("C", "=")
    assert game.coins == [0, 1]


def paid_after(game: Game, *answers: str) -> list[int]:
    """Return the number of coins that the first player has paid after each answer."""
    before = game.coins[0]
    return [before - game.say(one).coins[0] for one in answers]


def test_cp_11_an_assassination_is_paid_with_the_victims_card() -> None:
    """The 3 coins go when the victim gives up a card, not when the Assassination is announced."""
    game = Game("~^", "*!", coins=(5, 1))
    assert paid_after(game, "A", "<", "\n") == [0, 3, 3]
    assert game.last("card_lost")["cause"] == "assassination"


def test_cp_11_an_accepted_contessa_is_paid_for() -> None:
    """The coins are paid when the block is accepted."""
    assert paid_after(Game(coins=(5, 1)), "A", "s", "\n") == [0, 0, 3]


def test_cp_11_an_honest_contessa_challenged_is_paid_for() -> None:
    """When the challenge of a Contessa fails, the coins go with the card of the challenger."""
    game = Game("~^", "*!", coins=(5, 1))
    assert paid_after(game, "A", "s", "q", "!", "'\n") == [0, 0, 0, 0, 3]
    assert game.last("card_lost")["cause"] == "wrong_challenge"
    assert (game.hands[0], len(game.hands[1])) == ("~", 2)


def test_cp_11_an_honest_contessa_that_ends_the_game_is_paid_for() -> None:
    """Also when the card that the challenge cost was the last."""
    game = Game("~^", "*!", coins=(5, 1)).turn("Tq'\n").turn("I\n")
    assert paid_after(game, "A", "s", "q", "!", "_\n") == [0, 0, 0, 0, 3]
    assert game.events[-1]["winners"] == [1]


def test_cp_11_a_false_assassin_is_not_paid() -> None:
    """A player that claimed an Assassin falsely loses a card, and keeps the coins."""
    game = Game("~~", "*!", coins=(5, 1))
    assert paid_after(game, "A", "q", "_\n") == [0, 0, 0]
    assert game.last("card_lost")["cause"] == "false_claim"
    assert game.hands == ["~", "*!"]


@pytest.mark.parametrize("written", ["<", "="])
def test_cp_12_a_wrong_challenge_of_an_assassin_costs_both_cards(written: str) -> None:
    """The victim loses both cards, the written one first, and the game; the 3 coins are paid."""
    game = Game("~^", "*!", coins=(5, 1)).say("A", "q", "^")
    seq = len(game.events)
    game.say(written)
    assert (game.coins, game.hands[1], game.ask) == ([2, 1], "", None)
    assert game.since(seq) == ["coins_moved", "card_lost", "card_lost", "match_finished"]
    first, second = game.events[-3:-1]
    assert (GIVE_UP[first["card"]], first["cause"]) == (written, "wrong_challenge")
    assert (second["hand"], second["cause"]) == ("", "assassination")
    assert everything(first["card"] + second["card"]) == "*!"
    assert game.events[-1]["winners"] == [0]
    assert game.history.endswith(f"Aq^{written}")


@pytest.mark.parametrize("written", ["<", "0"])
def test_cp_12_a_false_contessa_costs_both_cards(written: str) -> None:
    """A Contessa that was none loses both cards, and the game; the 3 coins are paid."""
    game = Game("~^", "*$", coins=(5, 1)).say("A", "s", "q")
    seq = len(game.events)
    game.say(written)
    assert (game.coins, game.hands[1], game.ask) == ([2, 1], "", None)
    assert game.since(seq) == ["coins_moved", "card_lost", "card_lost", "match_finished"]
    first, second = game.events[-3:-1]
    assert (GIVE_UP[first["card"]], first["cause"]) == (written, "false_claim")
    assert second["cause"] == "assassination"
    assert game.clauses[-4:] == ["CP-11", "CP-14", "CP-12", "CP-2"]


@pytest.mark.parametrize(
    ("line", "hand", "before"), [("Aq^=", "*!", "Tq<\n"), ("Asq0", "*$", "Eq<\n")]
)
def test_cp_12_with_one_card_there_is_no_second_to_lose(line: str, hand: str, before: str) -> None:
    """A player with one card loses that card, and no second loss is recorded."""
    game = Game("~^", hand, coins=(5, 1)).turn("I\n").turn(before)
    seq = len(game.events)
    game.say(*line)
    assert [kind for kind in game.since(seq) if kind != "card_replaced"] == [
        "coins_moved",
        "card_lost",
        "match_finished",
    ]
    assert (game.coins[0], game.hands[1]) == (3, "")


def test_cp_12_no_other_challenge_costs_two_cards() -> None:
    """Challenges in vain and false claims of all other actions cost one card."""
    for line in ("Eq~<\n", "Sq_\n", "Tq_\n", "Saq<\n"):
        game = Game("~^", "*!", coins=(5, 3)).turn(line, "~^" if line[0] == "E" else "")
        assert sum(map(len, game.hands)) == 3


# --- CP-13 to CP-15: cards -----------------------------------------------------------------------


PROOFS = (
    ("Tq", "$", ("$^", "*!"), 0),
    ("Sq", "*", ("*^", "$!"), 0),
    ("Aq", "^", ("~^", "*!"), 0),
    ("Fdq", "$", ("~^", "!$"), 1),
    ("Saq", "~", ("!^", "~$"), 1),
    ("Scq", "*", ("~^", "!*"), 1),
    ("Asq", "!", ("~^", "!*"), 1),
)


@pytest.mark.parametrize(("line", "card", "hands", "seat"), PROOFS, ids=[p[0] for p in PROOFS])
def test_cp_13_a_card_shown_is_replaced_at_once(
    line: str, card: str, hands: tuple[str, str], seat: int
) -> None:
    """The card goes back, the deck is shuffled, the top card is put last, before the next call."""
    lead = list(lead_up(3, 3))
    game = Game(*hands, coins=(3, 3)).say(*line)
    before = game.state
    game.say(card)
    label = f"call/{len(lead) + len(line) + 1}/shuffle"
    deck = in_order(game.seed, label, before["deck"] + card)
    assert game.events[-1] == {
        "type": "card_replaced",
        "seat": seat,
        "card": card,
        "drawn": deck[0],
        "hand": without(hands[seat], card) + deck[0],
        "deck": deck[1:],
    }
    assert game.hands[seat] == without(hands[seat], card) + deck[0]
    assert game.hands[1 - seat] == hands[1 - seat]
    assert game.clauses[-1] == "CP-13"


@pytest.mark.parametrize("hand", ["~^", "^~"])
def test_cp_13_an_ambassador_shown_for_its_own_exchange_stays(hand: str) -> None:
    """It keeps its place in the hand, the deck stays as it is, and no event says otherwise."""
    game = Game(hand, "*!").say("E", "q")
    deck, seq = game.state["deck"], len(game.events)
    game.say("~")
    assert (game.hands[0], game.state["deck"], game.since(seq)) == (hand, deck, [])


def test_cp_13_an_ambassador_shown_for_a_block_does_not_stay() -> None:
    """The exception is for one's own Exchange only."""
    game = Game("*^", "~!").say("S", "a", "q", "~")
    assert game.events[-1]["type"] == "card_replaced"


def test_cp_14_a_card_given_up_is_out_of_the_game() -> None:
    """A card that was given up is neither in a hand nor in the deck."""
    game = Game("~^", "*!", coins=(7, 1)).say("C", "=")
    left = "".join(game.hands) + game.state["deck"]
    assert everything(left) == without(DECK, "!")
    assert game.clauses[-1] == "CP-14"


@pytest.mark.parametrize("opening", [("E", "p"), ("E", "q", "~", "<")])
def test_cp_15_two_cards_are_offered_before_ones_own(opening: tuple[str, ...]) -> None:
    """For its closing call the owner sees the top two cards of the deck, then its own."""
    game = Game("~^", "*!").say(*opening[:-1])
    deck = game.state["deck"]
    game.say(opening[-1])
    assert game.ask
    assert (game.ask.name, game.ask.legal) == ("exchange", ("\n",))
    assert game.ask.args[2] == deck[:2] + "~^"
    assert game.events[-1] == {
        "type": "cards_offered",
        "seat": 0,
        "drawn": deck[:2],
        "deck": deck[2:],
    }
    assert game.clauses[-1] == "CP-15"


def exchange(hand: str = "~^") -> tuple[Game, str]:
    """A game that waits for the choice of an Exchange, and all cards to choose from."""
    game = Game(hand, "*!").say("E", "p")
    assert game.ask
    return game, game.ask.args[2]


def choices() -> list[str]:
    """Every choice of two out of the four cards offered, in both orders."""
    _, cards = exchange()
    return sorted({first + second for first, second in permutations(cards, 2)})


@pytest.mark.parametrize("kept", choices())
def test_cp_15_any_choice_is_kept_in_the_order_written(kept: str) -> None:
    """The hand is what was written, in its order; the others go back and the deck is shuffled."""
    game, cards = exchange()
    deck = game.state["deck"]
    game.say(f"\n:{kept}")
    returned = without(cards, *kept)
    assert game.hands[0] == kept
    assert game.events[-1] == {
        "type": "cards_exchanged",
        "seat": 0,
        "returned": returned,
        "hand": kept,
        "deck": in_order(game.seed, "call/3/shuffle", deck + returned),
    }
    assert game.state["offered"] == ""
    assert game.ask


@pytest.mark.parametrize("around", ["{}\n", " {}", "\t\r\n{}\v\f ", "\n\n{}\n\n", "{}"])
def test_cp_15_white_space_around_the_choice_is_ignored(around: str) -> None:
    """Spaces, tabs and line ends of ASCII around the cards do no harm, and stay in the log."""
    game, _ = exchange()
    game.say("\n:" + around.format("^~"))
    assert game.hands[0] == "^~"
    answered = next(e for e in reversed(game.events) if e["type"] == "answered")
    assert answered["output"] == around.format("^~")


def wrong_choices() -> list[bytes]:
    """Outputs that are no legal choice from the cards offered."""
    _, cards = exchange()
    absent = next(card for card in "*!$~^" if card not in cards)
    alone = next(card for card in cards if cards.count(card) == 1)
    return [
        b"",
        b"\n",
        cards[0].encode(),
        cards[:3].encode(),
        cards.encode(),
        (absent + cards[0]).encode(),
        (alone * 2).encode(),
        b"~ ^",
        b"~,^",
        b"_'",
        "~^\u00a0".encode(),
        "\ufeff~^".encode(),
        b"~^\0",
        b"~^\xff",
        b"\xff\xfe",
    ]


@pytest.mark.parametrize("output", wrong_choices())
def test_cp_15_a_wrong_choice_forfeits(output: bytes) -> None:
    """Too few or too many cards, a card not offered, other symbols and other bytes forfeit."""
    game, _ = exchange()
    game.reply(Answer({"output": output, "appended": b"\n"}))
    fault, finished = game.events[-2:]
    assert (fault["type"], fault["kind"], fault["ask"]) == ("fault", "illegal", "exchange")
    assert fault["appended"] == "\n"
    assert finished["scores"] == [0, 1]


def test_cp_15_a_choice_without_the_newline_forfeits() -> None:
    """A legal choice without the newline forfeits."""
    game, _ = exchange()
    game.reply(Answer({"output": b"~^", "appended": b""}))
    assert game.events[-1]["reason"] == "forfeit"


def test_cp_15_with_one_card_one_is_kept_of_three() -> None:
    """A player with one card is offered two more and keeps one."""
    game = Game("~^", "*!").turn("Tq'\n").turn("I\n").say("E", "p")
    assert game.ask
    cards = game.ask.args[2]
    assert (len(cards), cards[2]) == (3, "~")
    game.say(f"\n:{cards[0]}")
    assert game.hands[0] == cards[0]


def test_cp_15_a_lost_challenge_that_ends_the_game_offers_nothing() -> None:
    """If the challenge cost the last card, no cards are drawn."""
    game = Game("~^", "*!").turn("I\n").turn("Tq<\n").say("E", "q", "~", "=")
    assert game.ask is None
    assert "cards_offered" not in game.since(0)


# --- CP-16: the arguments of a bot ---------------------------------------------------------------


def test_cp_16_a_bot_is_told_history_coins_cards_and_legal_actions() -> None:
    """The arguments are the other's coins, one's own, one's cards, and each legal action."""
    game = Game("~^", "*!", coins=(7, 1)).say("S")
    assert game.ask
    assert list(game.ask.args) == ["7", "1", "*!", "a", "c", "p", "q"]
    game.say("a")
    assert game.ask
    assert list(game.ask.args) == ["1", "7", "~^", "q", "\n"]


def test_cp_16_a_card_leaves_the_hand_at_its_first_place() -> None:
    """The first of two equal cards leaves the hand, and the rest keeps its order."""
    game = Game("^^", "*!").turn("Tq'\n")
    assert game.hands[0] == "^"
    game = Game("^~", "*!", coins=(1, 7)).turn("I\n").say("C", "_")
    assert game.hands[0] == "^"


def test_cp_16_no_bot_is_told_the_others_cards() -> None:
    """The arguments of a bot do not depend on cards that it may not know."""
    one, other = Game("~^", "*!").say("S"), Game("$^", "*!").say("S")
    assert one.ask
    assert other.ask
    assert one.ask.observation == other.ask.observation


# --- CP-17: forfeits -----------------------------------------------------------------------------

POSITIONS = ((), ("S",), ("S", "a"), ("T", "q"), ("E", "q", "~"), ("F", "p"), ("E", "p"))


@pytest.mark.parametrize("kind", ["crash", "timeout", "oversize", "tampered", "illegal"])
@pytest.mark.parametrize("answers", POSITIONS, ids="".join)
def test_cp_17_a_fault_forfeits(kind: str, answers: tuple[str, ...]) -> None:
    """After any fault at any question the other player scores, and the bot's output is kept."""
    game = Game("~^", "*!").say(*answers)
    assert game.ask
    seat, name = game.ask.seat, game.ask.name
    game.reply(Fault(kind, {"output": b"half\xff", "file": b"all"}, "a pipe"))
    assert game.ask is None
    assert game.events[-2] == {
        "type": "fault",
        "seat": seat,
        "kind": kind,
        "clause": "CP-17",
        "penalty": "forfeit",
        "ask": name,
        "found": "a pipe",
        "output_base64": "aGFsZv8=",
        "file": "all",
    }
    assert game.events[-1] == {
        "type": "match_finished",
        "reason": "forfeit",
        "scores": [int(seat == 1), int(seat == 0)],
        "winners": [1 - seat],
    }
    assert game.clauses[-2:] == ["CP-17", "CP-17"]


@pytest.mark.parametrize(
    "appended",
    [
        b"",
        b"I",
        b"I\n\n",
        b"i\n",
        b" I\n",
        b"I\r\n",
        b"FF",
        b"F\n",
        b"p",
        b"A",
        b"C",
        b"\n",
        b"\xff",
    ],
)
def test_cp_17_what_is_not_exactly_one_legal_action_forfeits(appended: bytes) -> None:
    """Nothing, two actions, another case, or an action that does not apply are illegal."""
    game = Game("~^", "*!").reply(Answer({"output": b"", "appended": appended}))
    fault, finished = game.events[-2:]
    assert (fault["kind"], fault["seat"], finished["reason"]) == ("illegal", 0, "forfeit")
    kept = fault.get("appended", fault.get("appended_base64"))
    assert kept == ("/w==" if appended == b"\xff" else appended.decode())


@pytest.mark.parametrize("output", [b"", b"~^", b"\xff", b"hello\n"])
def test_cp_16_output_is_read_in_an_exchange_only(output: bytes) -> None:
    """Elsewhere a bot may print what it likes; the log keeps it."""
    game = Game("~^", "*!").reply(Answer({"output": output, "appended": b"I\n"}))
    assert game.ask
    answered = game.events[1]
    assert answered["type"] == "answered"
    assert ("output_base64" in answered) == (output == b"\xff")


def test_an_answer_is_recorded_before_what_follows_from_it() -> None:
    """First the answer, then payment, cards and coins, then the result."""
    game = Game("~^", "*!", coins=(5, 1)).say("A", "q", "^", "<")
    assert [event["type"] for event in game.events[-5:]] == [
        "answered",
        "coins_moved",
        "card_lost",
        "card_lost",
        "match_finished",
    ]


def test_the_rules_end_after_the_result() -> None:
    """Nothing follows the result, and nothing more is asked."""
    game = Game(max_calls=1).say("I\n")
    assert game.ask is None
    assert game.events[-1]["type"] == "match_finished"
