"""Never lies, and blocks whenever its cards allow it.

It challenges only when nothing else can save its last card, and it looks at no history: what was
blocked is tried again.
"""

import sys

# The card that each action claims; an action that is not listed claims nothing.
CLAIM = {"E": "~", "T": "$", "A": "^", "S": "*", "a": "~", "c": "*", "d": "$", "s": "!"}
WISHES = ("C", "A", "T", "S", "d", "c", "a", "s", "E", "F", "p", "\n")
LOST = "_<'=0"  # give-up symbols, least useful card first
BEST = "$!^*~"  # cards to keep after an Exchange, best first

path, _theirs, _mine, cards, *legal = sys.argv[1:]

if len(cards) > 2:  # Exchange: the cards offered are the two drawn, then our own
    print("".join(sorted(cards, key=BEST.index)[: len(cards) - 2]))

honest = [action for action in legal if CLAIM.get(action, "") in cards]
losses = sorted((action for action in legal if action[0] in LOST), key=lambda a: LOST.index(a[0]))
last_stand = ["q"] if "s" in legal and len(cards) == 1 else []
wishes = [wish for wish in WISHES if wish in honest] + last_stand + losses + honest

with open(path, "a", newline="") as history:
    history.write(wishes[0])
