"""Changes its face: whenever it has acted or blocked, it exchanges its cards next.

What it claimed is gone when somebody comes to look. Its actions and blocks are honest; only the
Exchange may be a lie. Only a kill goes before the Exchange.
"""

import sys

# The card that each action claims; an action that is not listed claims nothing.
CLAIM = {"E": "~", "T": "$", "A": "^", "S": "*", "a": "~", "c": "*", "d": "$", "s": "!"}
WISHES = ("C", "A", "T", "S", "c", "a", "d", "s")
LOST = "_<'=0"  # give-up symbols, least useful card first
BEST = "$^*!~"  # cards to keep after an Exchange, best first

path, _theirs, _mine, cards, *legal = sys.argv[1:]

if len(cards) > 2:  # Exchange: one of each kind before a second of the same
    kept = sorted(set(cards), key=BEST.index) + sorted(cards, key=BEST.index)
    print("".join(kept[: len(cards) - 2]))

with open(path, newline="") as history:
    our_line, their_line = ["", "", *history.read().splitlines()][-2:]
known = our_line[:1] in ("A", "T", "S") or their_line[1:2] in ("a", "c", "d", "s")

# What was blocked last time is not tried again at once.
refused = our_line[:1] if our_line[1:] in ("a", "c", "d", "s") else ""

fit = [a for a in legal if a != refused and CLAIM.get(a, "") in cards]
losses = sorted((action for action in legal if action[0] in LOST), key=lambda a: LOST.index(a[0]))
last_stand = ["q"] if "s" in legal and len(cards) == 1 else []
wishes = [*WISHES, "F", "I\n", "p", "\n", *last_stand, *losses, *legal]
action = next(wish for wish in wishes if wish in fit)

if known and "E" in legal and action not in ("C", "A"):
    action = "E"

with open(path, "a", newline="") as history:
    history.write(action)
