"""Estimates the other hand from all that was seen, and plays what pays best on average.

A claim makes a card likelier, a block left out makes it less likely, and how often the other
challenges and lies is counted. Everything is weighed in coins.
"""

import sys
from math import comb

# The card that each action claims; an action that is not listed claims nothing.
CLAIM = {"E": "~", "T": "$", "A": "^", "S": "*", "a": "~", "c": "*", "d": "$", "s": "!"}
BLOCKERS = {"F": "$", "S": "~*", "A": "!"}
LOST = {"_": "~", "'": "^", "<": "*", "=": "!", "0": "$"}  # least useful card first
BEST = "$!*^~"
CARD, GAME = 7.0, 20.0  # what the first and the last card are worth, in coins

path, theirs, mine, cards, *legal = sys.argv[1:]

if len(cards) > 2:  # Exchange: one of each kind before a second of the same
    kept = sorted(set(cards), key=BEST.index) + sorted(cards, key=BEST.index)
    print("".join(kept[: len(cards) - 2]))

with open(path, newline="") as history:
    lines = history.read().split("\n")

# Calls alternate within a line, and lines alternate between the players.
last = lines[-1][-1:]  # what we answer
we_own_last_line = len(lines[-1]) % 2 == 0
their_cards = 2
gone = ""  # cards that left the game
claimed: set[str] = set()
denied: set[str] = set()  # cards that would have blocked us, but did not
our_claims = doubts = lies = truths = 0

for number, line in enumerate(lines, start=1):
    we_own_line = ((len(lines) - number) % 2 == 0) == we_own_last_line
    for index, symbol in enumerate(line):
        challenged = line[:index].endswith("q")
        gone += LOST.get(symbol, "")
        if (index % 2 == 0) == we_own_line:
            our_claims += symbol in CLAIM
            continue
        if index == 1 and symbol not in CLAIM:
            denied.update(BLOCKERS.get(line[0], ""))
            claimed -= denied
        if symbol in CLAIM:
            claimed.add(CLAIM[symbol])
            denied.discard(CLAIM[symbol])
        elif symbol == "q":
            doubts += 1
        elif symbol in LOST:
            their_cards -= 1
            lies += challenged
            claimed.discard(LOST[symbol])
        elif challenged:  # shown, and drawn anew
            truths += 1
            claimed.discard(symbol)
            denied.clear()
    if not we_own_line and line[:3] in ("Ep", "Eq~"):
        claimed.clear()
        denied.clear()

doubt = (doubts + 1) / (our_claims + 2)  # how likely they challenge a claim of ours
lying = (lies + 1) / (lies + truths + 6)  # how likely a claim of theirs is made up
win = GAME if their_cards == 1 else CARD
loss = GAME if len(cards) == 1 else CARD


def holds(card: str) -> float:
    """Return the probability that the other holds a card."""
    hidden = 15 - len(cards) - len(gone)
    copies = 3 - cards.count(card) - gone.count(card)
    without = comb(hidden - copies, their_cards) / comb(hidden, their_cards)
    odds = 1 / lying if card in claimed else 0.25 if card in denied else 1.0
    return (1 - without) * odds / ((1 - without) * odds + without)


def gain(action: str, victim: float, coins: str) -> float:
    """Return what an action brings whose victim loses a card worth so much, or has the coins."""
    if action == "A":
        return victim - 3
    if action == "S":
        return 2.0 * min(2, int(coins))
    return {"I": 1.0, "F": 2.0, "T": 3.0, "E": 1.0}.get(action, 0.0)


def start(action: str) -> float:
    """Return what it is worth to begin a turn with an action."""
    if action == "C":
        return 2 * GAME
    free = 1.0
    for card in BLOCKERS.get(action, ""):
        free *= 1 - holds(card)
    full = gain(action[0], win, theirs)
    hoped = free * full - (3 * (1 - free) if action == "A" else 0)
    if action not in CLAIM:
        return hoped
    caught = win + full if CLAIM[action] in cards else -loss
    doubted = 1 - holds("!") if action == "A" and their_cards == 1 else doubt
    return (1 - doubted) * hoped + doubted * caught


def answer(action: str) -> float:
    """Return what it is worth to answer an action of theirs."""
    harm = gain(last, loss, mine)
    stake = loss + harm
    if last == "A":  # a wrong word costs all our cards
        stake = GAME if len(cards) == 1 else CARD + GAME
    if action == "q":
        truth = holds(CLAIM[last])
        return (1 - truth) * win - truth * stake
    if action in CLAIM:  # a block
        paid = 3 if last == "A" else 0
        return doubt * win + paid if CLAIM[action] in cards else paid - doubt * stake
    return -harm


def object_to_block(action: str) -> float:
    """Return what it is worth to challenge a block of theirs, or to accept it."""
    if action != "q":
        return 0.0
    truth = holds(CLAIM[last])
    return (1 - truth) * (win + gain(lines[-1][0], win, theirs)) - truth * loss


def worth(action: str) -> float:
    """Return the coins that an action brings on average."""
    useful = 0.1 * list(LOST).index(action[0]) if action[0] in LOST else 0.0
    if not last:
        return start(action)
    if last in ("F", "E", "T", "S", "A"):
        return answer(action) - useful
    if last in ("a", "c", "d", "s"):
        return object_to_block(action)
    return -useful


with open(path, "a", newline="") as history:
    history.write(max(legal, key=worth))
