"""Changes its face: whenever it has acted or blocked, it exchanges its cards next.

What it claimed is gone when somebody comes to look. Its actions and blocks are honest; only the
Exchange may be a lie.
"""

import sys

# The card that each action claims; an action that is not listed claims nothing.
CLAIM = {"E": "~", "T": "$", "A": "^", "S": "*", "a": "~", "c": "*", "d": "$", "s": "!"}
WISHES = ("C", "A", "T", "S", "F", "c", "a", "d", "s", "p", "\n")
LOST = "_<'=0"  # give-up symbols, least useful card first
BEST = "$^*!~"  # cards to keep after an Exchange, best first

path, _theirs, _mine, cards, *legal = sys.argv[1:]

if len(cards) > 2:  # Exchange: one of each kind before a second of the same
    kept = sorted(set(cards), key=BEST.index) + sorted(cards, key=BEST.index)
    print("".join(kept[: len(cards) - 2]))

with open(path, newline="") as history:
    our_line, their_line = ["", "", *history.read().splitlines()][-2:]
known = our_line[:1] in ("A", "T", "S") or their_line[1:2] in ("a", "c", "d", "s")

honest = [action for action in legal if CLAIM.get(action, cards) in cards]
losses = sorted((action for action in legal if action[0] in LOST), key=lambda a: LOST.index(a[0]))
wishes = [wish for wish in WISHES if wish in honest] + losses + legal

if "E" in legal and known and "C" not in legal and wishes[0] != "A":
    wishes.insert(0, "E")

with open(path, "a", newline="") as history:
    history.write(wishes[0])
